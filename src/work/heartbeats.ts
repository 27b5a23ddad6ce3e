/**
 * Process liveness. A process that takes work holds a lease of its own and renews its heartbeat; it holds claims under
 * that lease's token. The others watch the leases of all holders: a lease that was released, has another token, or
 * whose heartbeat has stood still long enough by the watcher's monotonic clock means that the holder is gone, and that
 * its claims are free. No wall clock matters.
 */
import { setTimeout as timeout } from 'node:timers/promises';
import type { Claims } from '../readModels/claims.ts';
import {
  type Leadership,
  type LeadershipLog,
  type LeadershipOptions,
  unlessAborted,
  whileLeading,
} from '../readModels/leadership.ts';
import type { LeaseRecord, Leases } from '../readModels/leases.ts';

const LEASES = 'worker/';

/** The name under which process `id` holds claims while its lease has this token. */
export const holderOf = (id: string, token: number): string => `${id}/${token}`;

/**
 * Runs `work` whenever the process has its lease, until `signal` aborts. `held` turns false before another process may
 * be given the claims of `holder`. Releasing the lease at the end tells the others that this process is gone: they
 * remove it, or the next one that starts does. `id`: unique to this start of the process.
 */
export function withHeartbeat(
  options: Omit<LeadershipOptions, 'name' | 'owner'> & { readonly id: string },
  work: (holder: string, signal: AbortSignal, held: () => boolean) => Promise<void>,
): Leadership {
  const { id, ...rest } = options;
  const leadership = whileLeading({ ...rest, name: `${LEASES}${id}`, owner: id }, (signal, held) =>
    work(holderOf(id, leadership.token() ?? 0), signal, held),
  );
  return leadership;
}

export type WatchHoldersOptions = {
  readonly leases: Leases;
  readonly claims: Pick<Claims, 'holders' | 'vacate'>;
  /** The name under which this process currently holds claims; null: none. */
  readonly own: () => string | null;
  readonly signal: AbortSignal;
  /**
   * Called when claims have been released, or may have been: another process may have detected first that a holder is
   * gone.
   */
  readonly onVacated: () => void;
  readonly log?: LeadershipLog;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * How long a heartbeat, or the absence of a lease, must stand still before its holder is gone: longer than a holder
   * relies on its own clock.
   */
  readonly ttlMs?: number;
  readonly pollMs?: number;
};

const DEFAULTS = {
  now: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal) => timeout(ms, undefined, { signal }).catch(() => undefined),
  // A holder gives up 7 s after its last renewal (`leadership.ts`): this leaves room for clocks that run a tenth too
  // slow and too fast.
  ttlMs: 9_000,
  pollMs: 1_000,
};

type Watch = ReturnType<typeof openWatch>;

/** Releases the claims of holders that are gone, until the signal aborts. Never rejects. */
export async function watchHolders(options: WatchHoldersOptions): Promise<void> {
  const watch = openWatch(options);
  let unavailable = false;
  while (!watch.signal.aborted) {
    const failure = await unlessAborted(
      checkHolders(watch).then(
        () => null,
        (error: unknown) => ({ error }),
      ),
      watch.signal,
    );
    if (watch.signal.aborted) return;
    if (failure && !unavailable) watch.log?.warn({ err: failure.error }, 'The store of the claims does not answer');
    if (!failure && unavailable) watch.log?.info({}, 'The store of the claims answers again');
    unavailable = Boolean(failure);
    await watch.sleep(watch.pollMs, watch.signal);
  }
}

function openWatch(options: WatchHoldersOptions) {
  return {
    ...DEFAULTS,
    ...options,
    /** By name: each lease as first seen, and when. */
    seen: new Map<string, { readonly record: LeaseRecord | null; readonly since: number }>(),
  };
}

async function checkHolders(watch: Watch): Promise<void> {
  const { claims, leases, seen, own } = watch;
  const holders = await claims.holders();
  // An unchanged lease was unchanged up to the request and from the response on, whatever happened to this process in
  // between.
  const askedAt = watch.now();
  const records = new Map((await leases.list(LEASES)).map((record) => [record.name, record]));
  const answeredAt = watch.now();
  const names = new Set([...records.keys(), ...holders.map((holder) => leaseOf(holder).name)]);
  for (const name of names) {
    const record = records.get(name) ?? null;
    const before = seen.get(name);
    if (!before || !isSame(before.record, record)) seen.set(name, { record, since: answeredAt });
  }
  const isDead = (name: string): boolean =>
    records.get(name)?.owner === null || askedAt - (seen.get(name)?.since ?? askedAt) >= watch.ttlMs;

  for (const holder of holders) {
    const { name, token } = leaseOf(holder);
    const record = records.get(name);
    if (holder === own() || !((record && record.token !== token) || isDead(name))) continue;
    await vacate(watch, holder);
    if (!record) seen.delete(name);
  }
  // Including those without claims: the names are not reused.
  for (const [name, record] of records) {
    if (!isDead(name) || isOwn(watch, record)) continue;
    await leases.remove(record);
    seen.delete(name);
  }
  for (const name of seen.keys()) {
    if (names.has(name)) continue;
    // Another process detected first that it is gone.
    seen.delete(name);
    watch.onVacated();
  }
}

async function vacate({ claims, log, onVacated }: Watch, holder: string): Promise<void> {
  const freed = await claims.vacate(holder);
  if (freed > 0) log?.warn({ holder, freed }, 'Worker lost; its claims were released');
  onVacated();
}

function isOwn({ own }: Watch, { name, token }: LeaseRecord): boolean {
  return own() === holderOf(name.slice(LEASES.length), token);
}

function leaseOf(holder: string): { readonly name: string; readonly token: number } {
  const end = holder.lastIndexOf('/');
  return { name: `${LEASES}${holder.slice(0, end)}`, token: Number(holder.slice(end + 1)) };
}

const isSame = (a: LeaseRecord | null, b: LeaseRecord | null): boolean =>
  a?.owner === b?.owner && a?.token === b?.token && a?.beat === b?.beat;
