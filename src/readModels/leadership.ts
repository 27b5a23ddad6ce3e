/**
 * One process leads, the others stand by. No wall clock matters: the leader renews a heartbeat in the store; a standby
 * that has seen the same heartbeat for `ttlMs`, by its own monotonic clock, takes over; the leader gives up earlier
 * than that, by its own clock, unless a renewal was confirmed. A leader that was paused and wakes up finds `held()`
 * false before it has written anything.
 */
import { setTimeout as timeout } from 'node:timers/promises';
import type { LeaseRecord, Leases } from './leases.ts';

export type Leadership = {
  /** Also 'standby' while work that lost the lease is still ending. */
  state(): 'leading' | 'standby' | 'stopped';
  /** Token of the current holding; null when not leading. */
  token(): number | null;
  /** Resolves when `signal` has aborted, the work has ended and the lease was released. Never rejects. */
  readonly done: Promise<void>;
};

/** Compatible with pino. */
export type LeadershipLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

/** The leader's work. It ends when its signal aborts; `held` is checked before each write. */
type Lead = (signal: AbortSignal, held: () => boolean) => Promise<void>;

export type LeadershipOptions = {
  readonly leases: Leases;
  /** Name of the lease. */
  readonly name: string;
  /** Unique to this call: a restart of the same process is another owner. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly log?: LeadershipLog;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How long a heartbeat must stand still before a standby takes over. */
  readonly ttlMs?: number;
  readonly renewMs?: number;
  /** How often a standby checks. */
  readonly pollMs?: number;
};

const DEFAULTS = {
  now: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal) => timeout(Math.max(0, ms), undefined, { signal }).catch(() => undefined),
  ttlMs: 8_000,
  renewMs: 2_000,
  pollMs: 500,
};

/**
 * The longest that a process which keeps losing the lease leaves it to others, in times to live. A term of this many is
 * no longer counted as lost in a row.
 */
const LONGEST_BACK_OFF = 2;

/**
 * Fraction of `ttlMs` by which the leader gives up before a standby may take over: allows for clocks running at
 * different speeds and for a write in flight.
 */
const MARGIN = 1 / 8;

type Contest = ReturnType<typeof openContest>;

/** A newly acquired holding: `askedAt` is when the request was sent, by our own clock. */
type Won = { readonly record: LeaseRecord; readonly askedAt: number };

/** Leads whenever the lease `name` can be acquired, until `signal` aborts. */
export function whileLeading(options: LeadershipOptions, lead: Lead): Leadership {
  const contest = openContest(options);
  const done = contend(contest, lead).finally(() => {
    contest.state = 'stopped';
  });
  return { state: () => contest.state, token: () => contest.token, done };
}

function openContest(options: LeadershipOptions) {
  const settings = { ...DEFAULTS, ...options };
  return {
    ...settings,
    state: 'standby' as ReturnType<Leadership['state']>,
    token: null as number | null,
    /** The greatest token seen so far: a lease that was deleted manually continues from there. */
    topToken: 0,
    /** The store was unavailable at the last call. */
    unavailable: false,
  };
}

async function contend(contest: Contest, lead: Lead): Promise<void> {
  const { signal, log, name, now, renewMs, ttlMs } = contest;
  let losses = 0;
  while (!signal.aborted) {
    const won = await standBy(contest);
    if (!won) break;
    log?.info({ lease: name, token: won.record.token }, 'This process leads now');
    const from = now();
    const endedByItself = await leadWhileHeld(contest, won, lead);
    if (signal.aborted) break;
    if (now() - from > LONGEST_BACK_OFF * ttlMs) losses = 0;
    // Work that fails here may succeed elsewhere: give the others a chance first. A process that keeps losing the lease
    // is starved: the more often, the longer it waits, so that a busy machine is not kept busier by leaders that
    // replace one another.
    if (!endedByItself) losses += 1;
    const backOffMs = endedByItself ? renewMs : Math.min(renewMs * 2 ** (losses - 1), LONGEST_BACK_OFF * ttlMs);
    await contest.sleep(backOffMs, signal);
  }
}

/** Watches the lease until it is acquired; null if stopped before. */
async function standBy(contest: Contest): Promise<Won | null> {
  const { signal, now, sleep, ttlMs, pollMs } = contest;
  let seen: { readonly record: LeaseRecord | null; readonly since: number } | undefined;
  while (!signal.aborted) {
    let waitMs = pollMs;
    try {
      const record = await unlessAborted(contest.leases.read(contest.name), signal);
      if (record === undefined) return null;
      storeAnswers(contest, null);
      contest.topToken = Math.max(contest.topToken, record?.token ?? 0);
      // Timed after the response: the heartbeat was not newer than that.
      if (!seen || !isSame(seen.record, record)) seen = { record, since: now() };
      const leftMs = isFree(contest, record) ? 0 : seen.since + ttlMs - now();
      if (leftMs <= 0) {
        const won = await take(contest, record);
        if (won) return won;
      } else waitMs = Math.min(pollMs, leftMs);
    } catch (error) {
      storeAnswers(contest, error);
    }
    await sleep(waitMs, signal);
  }
  return null;
}

/**
 * Null if another was faster, or the response took so long that the holding has already expired: it is then recognized
 * as our own and acquired again.
 */
async function take(contest: Contest, seen: LeaseRecord | null): Promise<Won | null> {
  const { leases, name, owner, now, signal, topToken } = contest;
  const askedAt = now();
  const pending = leases.acquire({ name, owner, seen, tokenAbove: topToken });
  const taken = await unlessAborted(pending, signal);
  if (signal.aborted) {
    await giveBack(contest, pending);
    return null;
  }
  return taken && now() < askedAt + lastsMs(contest) ? { record: taken, askedAt } : null;
}

/** Undefined if the signal aborts before the store responds: stopping does not wait for an unavailable store. */
export async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([pending, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

const isSame = (a: LeaseRecord | null, b: LeaseRecord | null): boolean =>
  a?.owner === b?.owner && a?.token === b?.token && a?.beat === b?.beat;

/**
 * Immediately available: never acquired, released, or our own from a request whose response was lost. The owner of a
 * lease that vanished may still rely on it.
 */
function isFree(contest: Contest, record: LeaseRecord | null): boolean {
  if (!record) return contest.topToken === 0;
  return record.owner === null || record.owner === contest.owner;
}

/** How long a holder relies on a renewal, counted from when it was sent. */
const lastsMs = (contest: Contest): number => contest.ttlMs * (1 - MARGIN);

/** Runs the work until it ends; true if it ended while the lease was still held. */
async function leadWhileHeld(contest: Contest, { record, askedAt }: Won, lead: Lead): Promise<boolean> {
  const { signal, log, name, now } = contest;
  const ending = new AbortController();
  const term: Term = {
    record,
    until: askedAt + lastsMs(contest),
    lost: false,
    closed: false,
    over: new AbortController(),
  };
  const held = () => !term.lost && !term.closed && now() < term.until;
  const stop = () => ending.abort();
  contest.token = record.token;
  contest.topToken = Math.max(contest.topToken, record.token);
  contest.state = 'leading';
  signal.addEventListener('abort', stop, { once: true });

  const work = (async () => lead(ending.signal, held))()
    .catch((error: unknown) => {
      if (held()) log?.error({ err: error, lease: name }, 'The work of the leader failed');
    })
    .finally(() => term.over.abort());
  await keepRenewing(contest, term, held);
  const endedByItself = held() && !signal.aborted;
  if (!held())
    log?.warn(
      { lease: name, token: record.token, taken: term.lost },
      'This process leads no longer: the lease was lost',
    );
  // A late response must not revive a term that was given up.
  term.closed = true;
  contest.state = 'standby';
  contest.token = null;
  stop();
  signal.removeEventListener('abort', stop);
  await work;
  if (!term.lost) await giveBack(contest, record);
  return endedByItself;
}

type Term = {
  readonly record: LeaseRecord;
  /** Held until then unless a renewal is confirmed. */
  until: number;
  /** The store reported that we no longer hold it. */
  lost: boolean;
  closed: boolean;
  /** Aborts when there is no reason left to renew. */
  readonly over: AbortController;
};

/** Returns when the work has ended or the lease is no longer held. */
async function keepRenewing(contest: Contest, term: Term, held: () => boolean): Promise<void> {
  const { now, sleep, renewMs } = contest;
  while (!term.over.signal.aborted && held()) {
    await sleep(Math.max(1, Math.min(renewMs, term.until - now())), term.over.signal);
    // A hanging renewal does not delay the next: any that is confirmed counts from when it was sent.
    if (!term.over.signal.aborted && held()) void renewOnce(contest, term, held);
  }
}

async function renewOnce(contest: Contest, term: Term, held: () => boolean): Promise<void> {
  const sentAt = contest.now();
  try {
    const renewed = await contest.leases.renew(term.record);
    storeAnswers(contest, null);
    if (renewed) {
      // A response after expiry no longer counts: a standby may have decided to take over before the renewal arrived.
      if (held()) term.until = Math.max(term.until, sentAt + lastsMs(contest));
      return;
    }
    term.lost = true;
    term.over.abort();
  } catch (error) {
    if (!term.over.signal.aborted) storeAnswers(contest, error);
  }
}

/** Tries once, and briefly: a lease that is not released is taken over after `ttlMs`. */
async function giveBack(contest: Contest, holding: LeaseRecord | Promise<LeaseRecord | null>): Promise<void> {
  const { leases, sleep, renewMs } = contest;
  const enough = new AbortController();
  const released = (async () => {
    const record = await holding;
    if (record) await leases.release(record);
  })().catch((error: unknown) => storeAnswers(contest, error));
  await Promise.race([released, sleep(renewMs, enough.signal)]);
  enough.abort();
}

/** Logs an outage once, and its end. */
function storeAnswers(contest: Contest, error: unknown): void {
  if (error && !contest.unavailable)
    contest.log?.warn({ err: error, lease: contest.name }, 'The store of the leases does not answer');
  if (!error && contest.unavailable)
    contest.log?.info({ lease: contest.name }, 'The store of the leases answers again');
  contest.unavailable = Boolean(error);
}
