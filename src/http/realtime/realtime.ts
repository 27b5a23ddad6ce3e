/** The websocket at /api/v1/realtime: changes of the read models, to whom they concern. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { START } from '../../eventStore/eventStore.ts';
import { API } from '../apiPrefix.ts';
import { headersOf } from '../server/securityHeaders.ts';
import { type Connection, openConnection, REALTIME_LIMITS, type RealtimeLimits } from './connection.ts';
import { createHub, type RealtimeDeps } from './hub.ts';
import { isOwnOrigin } from './origin.ts';

export const REALTIME_PATH = `${API}/realtime`;

/** No message of a client needs more. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Going away: the server stops. */
const GOING_AWAY = 1001;

export type Realtime = {
  /** Open sockets. */
  readonly size: number;
  /** Refuses new sockets, closes all with 1001 and the position to resume from as reason, and ends the watches. Idempotent. */
  close(): Promise<void>;
};

/** Takes over the server's upgrades. `limits`: those that differ from `REALTIME_LIMITS`. */
export function attachRealtime(server: Server, deps: RealtimeDeps, limits: Partial<RealtimeLimits> = {}): Realtime {
  const bounds = { ...REALTIME_LIMITS, ...limits };
  const hub = createHub(deps);
  const connections = new Set<Connection>();
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false });
  let closed: Promise<void> | null = null;
  let emptied: (() => void) | null = null;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request);
    if (refusal) {
      refuse(socket, refusal, deps.config.appUrl);
      return;
    }
    wss.handleUpgrade(request, socket, head, (ws) => {
      deps.metrics.socketOpened();
      const connection = openConnection(ws, { deps, hub, limits: bounds }, () => {
        connections.delete(connection);
        if (connections.size === 0) emptied?.();
      });
      ws.once('close', (code) => deps.metrics.socketClosed(code));
      connections.add(connection);
    });
  };

  function refusalOf(request: IncomingMessage): Refusal | null {
    if (pathOf(request) !== REALTIME_PATH) return { status: 404, text: 'Not Found', code: 'NOT_FOUND' };
    if (!isOwnOrigin(request, deps.config.appUrl)) return { status: 403, text: 'Forbidden', code: 'FORBIDDEN' };
    const strangers = [...connections].filter((connection) => !connection.authenticated).length;
    if (closed || strangers >= bounds.unauthenticated) return { status: 503, text: 'Service Unavailable', code: 'BUSY' };
    return null;
  }

  server.on('upgrade', onUpgrade);
  const ticker = setInterval(() => {
    for (const connection of connections) connection.tick();
  }, bounds.pingMs);
  ticker.unref();

  async function closeAll(): Promise<void> {
    clearInterval(ticker);
    const build = await deps.readModels.serving('jobs').catch(() => null);
    const position = (build === null ? null : await deps.readModels.checkpoint('jobs', build).catch(() => null)) ?? START;
    const empty = connections.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => (emptied = resolve));
    for (const connection of connections) connection.close(GOING_AWAY, position);
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

type Refusal = { readonly status: number; readonly text: string; readonly code: string };

function refuse(socket: Duplex, { status, text, code }: Refusal, appUrl: string): void {
  const body = JSON.stringify({ success: false, error: text, code });
  const headers = [
    ...headersOf(appUrl),
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['Connection', 'close'],
  ];
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';
