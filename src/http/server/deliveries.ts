/**
 * Deliveries to a webhook, which are authenticated by a signature over their bytes, so that a forged one is only
 * recognized once it has been read. Those that are refused count toward a limit of their address. Beyond it, and while
 * too much is held of what is arriving, the address's deliveries are read one at a time, but none is refused for that:
 * its next one may be genuine.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { HttpError } from '../request/errors.ts';
import { addressKey, type RateLimiter } from '../request/rateLimits.ts';
import { announced, permitBody } from './bodies.ts';
import { createRoom, type Room } from './room.ts';

/** In its turn, a delivery must arrive within this time, divided among it and those that wait. */
const TURN_MS = 2_000;
/** But never less: what was sent while a delivery waited is read at once. */
const SHORTEST_TURN_MS = 100;

export type Deliveries = {
  /**
   * Handles a delivery with `handle`, which answers it or throws. `admit` judges its head first; what it throws is
   * thrown without reading the body, beyond the limit as RATE_LIMITED. `withinMs`: how long the body may take.
   */
  receive(ctx: Context, admit: () => void, handle: (withinMs?: number) => Promise<void>): Promise<void>;
};

const MIB = 1024 * 1024;
/** The line of deliveries for which there is no room, whoever sends them. */
const ALL = '';

/** `maxBytes`: of one delivery. */
export function createDeliveries(
  limiter: Pick<RateLimiter, 'attemptDelivery'>,
  maxBytes: number,
  room: Room = createRoom({ ofOne: 16 * MIB, ofAll: 64 * MIB }),
): Deliveries {
  const lines = new Map<string, Line>();
  return {
    async receive(ctx, admit, handle) {
      const attempt = await limiter.attemptDelivery(ctx.ip);
      try {
        admit();
      } catch (error) {
        throw attempt.refused ?? error;
      }
      const address = addressKey(ctx.ip);
      const held = attempt.refused ? 'full_for_holder' : room.hold(address, announced(ctx.req, maxBytes), ctx.res);
      if (held === 'held') await handle();
      else await inTurn(lines, held === 'full' ? ALL : address, ctx, handle);
      // A server error says nothing about the delivery.
      if (ctx.status < 400 || ctx.status >= 500) await attempt.accepted();
    },
  };
}

type Waiter = { readonly request: IncomingMessage; readonly admit: () => void };

/** The deliveries of one address that wait while another one has its turn. */
type Line = Set<Waiter>;

async function inTurn(
  lines: Map<string, Line>,
  address: string,
  { req, res }: Context,
  work: (withinMs: number) => Promise<void>,
): Promise<void> {
  permitBody(req, res);
  await arrived(req);
  const line = lines.get(address);
  if (line) await waitIn(line, req, res);
  else lines.set(address, new Set());
  try {
    await work(turnMs(lines.get(address)?.size ?? 0));
  } finally {
    const next = nextOf(lines.get(address) ?? []);
    if (next) next.admit();
    else lines.delete(address);
  }
}

const turnMs = (waiting: number): number => Math.max(SHORTEST_TURN_MS, TURN_MS / (1 + waiting));

/**
 * First those that have arrived as a whole: they need no time for reading, so one that keeps the others waiting never
 * delays them for long.
 */
function nextOf(line: Iterable<Waiter>): Waiter | undefined {
  let first: Waiter | undefined;
  for (const waiter of line) {
    if (waiter.request.complete) return waiter;
    first ??= waiter;
  }
  return first;
}

/**
 * Waits, holding nothing but the buffer of the connection, until it is full or has the whole body. The server's time
 * limit for a request ends this, too.
 */
function arrived(request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      const isGone = request.destroyed && !request.complete;
      if (!isGone && !request.complete && request.readableLength < request.readableHighWaterMark) return;
      request.off('readable', settle).off('close', settle);
      if (isGone) reject(gone());
      else resolve();
    };
    request.on('readable', settle).on('close', settle);
    settle();
  });
}

/** @throws HttpError CLIENT_GONE */
function waitIn(line: Line, request: IncomingMessage, response: Context['res']): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      line.delete(waiter);
      response.off('close', giveUp);
    };
    const giveUp = (): void => {
      leave();
      reject(gone());
    };
    const waiter: Waiter = {
      request,
      admit: () => {
        leave();
        resolve();
      },
    };
    if (response.destroyed) return reject(gone());
    line.add(waiter);
    response.once('close', giveUp);
  });
}

const gone = (): HttpError => new HttpError('CLIENT_GONE', 'The client went away before it was answered');
