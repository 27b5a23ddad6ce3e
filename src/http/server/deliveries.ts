/**
 * Deliveries to a webhook, which are authenticated by a signature over their bytes, so that a forged one is only
 * recognized once it has been read. Those that are refused count toward a limit of their address. Beyond it, and while
 * too much is held of what is arriving, the address's deliveries are read one at a time, but none is refused for that:
 * its next one may be genuine. Too many that go on arriving while they wait are refused, but none that has arrived.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { HttpError } from '../request/errors.ts';
import { addressKey, type RateLimiter } from '../request/rateLimits.ts';
import { announced, busy, permitBody } from './bodies.ts';
import { createRoom, type Held, type Room } from './room.ts';

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

/** What may be held of deliveries that wait: as much as was read of them, for each address and for all. */
const WAITING = { ofOne: 4 * MIB, ofAll: 32 * MIB };

/** `maxBytes`: of one delivery. */
export function createDeliveries(
  limiter: Pick<RateLimiter, 'attemptDelivery'>,
  maxBytes: number,
  room: Room = createRoom({ ofOne: 16 * MIB, ofAll: 64 * MIB }),
  mostWaiting: typeof WAITING = WAITING,
): Deliveries {
  const lines = new Map<string, Line>();
  const waitingRoom = createWaitingRoom(mostWaiting);

  /** Does `work` when no other delivery of the line has its turn. */
  async function inTurn(name: string, waiter: Waiter, work: (withinMs: number) => Promise<void>): Promise<void> {
    try {
      await arrived(waiter, () => waitingRoom.note(waiter));
      const line = lines.get(name);
      if (line) await waitIn(line, waiter);
      else lines.set(name, new Set());
    } finally {
      waitingRoom.leave(waiter);
    }
    try {
      await work(turnMs(lines.get(name)?.size ?? 0));
    } finally {
      const next = nextOf(lines.get(name) ?? []);
      if (next) next.admit();
      else lines.delete(name);
    }
  }

  return {
    async receive(ctx, admit, handle) {
      const attempt = await limiter.attemptDelivery(ctx.ip);
      try {
        admit();
      } catch (error) {
        throw attempt.refused ?? error;
      }
      const address = addressKey(ctx.ip);
      const hold = (): Held => room.hold(address, announced(ctx.req, maxBytes), ctx.res);
      const held = attempt.refused ? null : hold();
      if (held === 'held') await handle();
      else {
        permitBody(ctx.req, ctx.res);
        const waiter = newWaiter(address, ctx);
        const forAll = (): Promise<void> => inTurn(ALL, waiter, handle);
        if (held === 'full') await forAll();
        else await inTurn(address, waiter, (withinMs) => (!held && hold() === 'full' ? forAll() : handle(withinMs)));
      }
      // A server error says nothing about the delivery.
      if (ctx.status < 400 || ctx.status >= 500) await attempt.accepted();
    },
  };
}

type Waiter = {
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: Context['res'];
  /** Gives it its turn. */
  admit(): void;
  /** Ends its waiting. */
  refuse(error: HttpError): void;
};

/** The deliveries of one address that wait while another one has its turn. */
type Line = Set<Waiter>;

const newWaiter = (address: string, { req: request, res: response }: Context): Waiter => ({
  address,
  request,
  response,
  admit: () => undefined,
  refuse: () => undefined,
});

/**
 * Counts what was read of those that wait. Beyond the limit of its address or of all, the one that has waited longest
 * without having arrived is refused: of all, one of the address that holds most. One that has arrived never is.
 */
function createWaitingRoom({ ofOne, ofAll }: typeof WAITING) {
  type Holder = { bytes: number; readonly arriving: Set<Waiter> };
  const holders = new Map<string, Holder>();
  const bytesOf = new Map<Waiter, number>();
  let total = 0;

  function setBytes(waiter: Waiter, holder: Holder, bytes: number): void {
    const more = bytes - (bytesOf.get(waiter) ?? 0);
    bytesOf.set(waiter, bytes);
    holder.bytes += more;
    total += more;
  }

  function leave(waiter: Waiter): void {
    const holder = holders.get(waiter.address);
    if (!holder || !bytesOf.has(waiter)) return;
    setBytes(waiter, holder, 0);
    bytesOf.delete(waiter);
    holder.arriving.delete(waiter);
    if (holder.bytes === 0 && holder.arriving.size === 0) holders.delete(waiter.address);
  }

  function refuseOneOf({ arriving }: Holder): boolean {
    const [oldest] = arriving;
    if (!oldest) return false;
    leave(oldest);
    oldest.refuse(busy());
    return true;
  }

  /** Null: nothing of anybody could be refused. */
  function heaviest(): Holder | null {
    let most: Holder | null = null;
    for (const holder of holders.values())
      if (holder.arriving.size > 0 && holder.bytes > (most?.bytes ?? 0)) most = holder;
    return most;
  }

  return {
    leave,
    /** To be called whenever more of it was read. */
    note(waiter: Waiter): void {
      const holder = holders.get(waiter.address) ?? { bytes: 0, arriving: new Set() };
      holders.set(waiter.address, holder);
      setBytes(waiter, holder, waiter.request.readableLength);
      if (waiter.request.complete) holder.arriving.delete(waiter);
      else holder.arriving.add(waiter);
      while (holder.bytes > ofOne && refuseOneOf(holder));
      while (total > ofAll) {
        const most = heaviest();
        if (!most) return;
        refuseOneOf(most);
      }
    },
  };
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
 * limit for a request ends this, too. `more`: called whenever there is more of it. @throws HttpError CLIENT_GONE, BUSY
 */
function arrived(waiter: Waiter, more: () => void): Promise<void> {
  const { request } = waiter;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      request.off('readable', settle).off('close', settle);
    };
    const settle = (): void => {
      const isGone = request.destroyed && !request.complete;
      if (!isGone) more();
      if (!isGone && !request.complete && request.readableLength < request.readableHighWaterMark) return;
      end();
      if (isGone) reject(gone());
      else resolve();
    };
    waiter.refuse = (error) => {
      end();
      reject(error);
    };
    request.on('readable', settle).on('close', settle);
    settle();
  });
}

/** @throws HttpError CLIENT_GONE, BUSY */
function waitIn(line: Line, waiter: Waiter): Promise<void> {
  const { response } = waiter;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      line.delete(waiter);
      response.off('close', giveUp);
    };
    const giveUp = (): void => waiter.refuse(gone());
    waiter.refuse = (error) => {
      leave();
      reject(error);
    };
    waiter.admit = () => {
      leave();
      resolve();
    };
    if (response.destroyed) return reject(gone());
    line.add(waiter);
    response.once('close', giveUp);
  });
}

const gone = (): HttpError => new HttpError('CLIENT_GONE', 'The client went away before it was answered');
