/** The WebSocket at /api/v1/realtime: sends read model changes to the users they concern. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { START } from '../../eventStore/eventStore.ts';
import { API } from '../request/apiPrefix.ts';
import { answerBare, type BareAnswer } from '../request/bareAnswer.ts';
import { clientAddress } from '../request/clientAddress.ts';
import { HttpError, STATUS_OF_CODE } from '../request/errors.ts';
import { addressKey, createRateLimiter, type RateLimiter } from '../request/rateLimits.ts';
import { readHead } from '../request/requestHead.ts';
import { headersOf } from '../request/securityHeaders.ts';
import type { SecurityEventName } from '../usage/securityLog.ts';
import { type Connection, openConnection, REALTIME_LIMITS, type RealtimeLimits } from './connection.ts';
import { createHub, type RealtimeDeps } from './hub.ts';
import { isOwnOrigin } from './origin.ts';

export const REALTIME_PATH = `${API}/realtime`;

/** Ample for any client message. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Close code "going away": the server is shutting down. */
const GOING_AWAY = 1001;

export type Realtime = {
  /** Number of open sockets. */
  readonly size: number;
  /**
   * Refuses new sockets, closes all with 1001 and the position to resume from as the reason, and ends the watches.
   * Idempotent.
   */
  close(): Promise<void>;
};

/**
 * Handles the server's upgrade requests. `limits`: overrides of `REALTIME_LIMITS`. `limiter`: shared with HTTP
 * requests, as upgrades count as requests.
 */
export function attachRealtime(
  server: Server,
  deps: RealtimeDeps,
  limits: Partial<RealtimeLimits> = {},
  limiter: RateLimiter = createRateLimiter(deps.config.rateLimits),
): Realtime {
  const bounds = { ...REALTIME_LIMITS, ...limits };
  const hub = createHub(deps);
  /** With the address of each, as returned by `addressKey`. */
  const connections = new Map<Connection, string>();
  const wss = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    // Messages are short: a browser sends each in one piece.
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: 16,
  });
  let closed: Promise<void> | null = null;
  let emptied: (() => void) | null = null;

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const path = pathOf(request);
    if (typeof path !== 'string') {
      refuse(socket, path, deps.config.appUrl);
      return;
    }
    const address = clientAddress(request, deps.config.trustProxy);
    const limited = await limiter.count('address', address).then(() => null, limitedBy);
    const from = addressKey(address);
    const refusal = limited ?? refusalOf(request, path, from);
    if (refusal) {
      const event = EVENT_OF_CODE[refusal.code];
      if (event && refusal !== STOPPING) deps.securityLog.note(event, address, { code: refusal.code, route: 'socket' });
      refuse(socket, refusal, deps.config.appUrl);
      return;
    }
    wss.handleUpgrade(request, socket, head, (ws) => {
      deps.metrics.socketOpened();
      const connection = openConnection(
        ws,
        { deps, hub, limits: bounds, limiter, address, visitors: () => visitorsAt(from) },
        () => {
          connections.delete(connection);
          if (connections.size === 0) emptied?.();
        },
      );
      ws.once('close', (code) => deps.metrics.socketClosed(code));
      connections.set(connection, from);
    });
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      deps.log.error({ err: error }, 'an upgrade failed unexpectedly');
      socket.destroy();
    });
  };

  const visitorsAt = (from: string): number =>
    [...connections].filter(([connection, address]) => connection.visiting && address === from).length;

  function refusalOf(request: IncomingMessage, path: string, from: string): Refusal | null {
    if (path !== REALTIME_PATH) return { status: 404, code: 'NOT_FOUND' };
    if (!isOwnOrigin(request, deps.config.appUrl)) return { status: 403, code: 'FORBIDDEN' };
    if (closed) return STOPPING;
    const strangers = [...connections].filter(([connection]) => !connection.authenticated);
    if (strangers.length >= bounds.unauthenticated) return BUSY;
    return strangers.filter(([, address]) => address === from).length >= bounds.unauthenticatedOfAddress
      ? TOO_MANY
      : null;
  }

  server.on('upgrade', onUpgrade);
  const ticker = setInterval(() => {
    for (const connection of connections.keys()) connection.tick();
  }, bounds.pingMs);
  ticker.unref();
  const adminTicker = setInterval(() => {
    for (const connection of connections.keys()) connection.checkAdmin();
  }, bounds.adminCheckMs);
  adminTicker.unref();

  async function closeAll(): Promise<void> {
    clearInterval(ticker);
    clearInterval(adminTicker);
    const position = (await deps.readModels.servedPosition('jobs').catch(() => null)) ?? START;
    const empty = connections.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => (emptied = resolve));
    for (const connection of connections.keys()) connection.close(GOING_AWAY, position);
    await empty;
    await hub.close();
  }

  return {
    get size() {
      return connections.size;
    },
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };
}

type Refusal = Omit<BareAnswer, 'headers'> & { readonly retryAfter?: string };

const BUSY: Refusal = { status: 503, code: 'BUSY' };
const STOPPING: Refusal = { ...BUSY };
const TOO_MANY: Refusal = { status: 429, code: 'RATE_LIMITED', retryAfter: '5' };

const EVENT_OF_CODE: Readonly<Record<string, SecurityEventName>> = {
  RATE_LIMITED: 'rate_limited',
  BUSY: 'rate_limited',
  FORBIDDEN: 'origin_refused',
};

function limitedBy(error: unknown): Refusal {
  return error instanceof HttpError ? { ...TOO_MANY, retryAfter: error.headers['Retry-After'] ?? '5' } : BUSY;
}

/** The path, or the refusal of a request whose head is beyond a limit. @throws what is no refusal */
function pathOf(request: IncomingMessage): string | Refusal {
  try {
    return readHead(request).path;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: STATUS_OF_CODE[error.code] ?? 400, code: error.code, error: error.message };
  }
}

function refuse(socket: Duplex, { retryAfter, ...answer }: Refusal, appUrl: string): void {
  const headers = [...headersOf(appUrl), ...(retryAfter === undefined ? [] : [['Retry-After', retryAfter] as const])];
  answerBare(socket, { ...answer, headers });
}
