/** One claimed item from its claim to its end: done, deferred, failed, given up, or returned. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { WhyGivenUp } from '../commands/work/giveUpWork.ts';
import type { Claim, ClaimNotes, Claims } from '../readModels/claims.ts';
import { itemKey } from './items.ts';
import type { Holding, WorkItem, WorkKind } from './kind.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import { isStoreUnavailable } from './storeUnavailable.ts';

/** Compatible with pino. */
export type WorkLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

export type PerformerDeps = {
  readonly claims: Claims;
  readonly held: () => boolean;
  readonly signal: AbortSignal;
  readonly now: () => string;
  readonly lock: ReadWriteLock;
  readonly log: WorkLog;
};

/** The result of one attempt. `unavailable`: it failed for want of a store. */
export type Result = 'settled' | 'later' | 'failed' | 'unavailable' | 'given_up' | 'given_back';

export type Performer = {
  /** Never rejects. */
  perform(kind: WorkKind, item: WorkItem, claim: Claim, isSlotWanted: Holding['isSlotWanted']): Promise<Result>;
  interrupt(kind: string, itemId: string, why: string): void;
  /** An item that ended its process before runs alone in this one, waits for that, or may have to. */
  isAlone(): boolean;
  /** Resolves when no items are in progress. */
  idle(): Promise<void>;
};

/**
 * How many holders may vanish while processing an item before it runs alone in its process, and then alone before it is
 * given up.
 */
export const EXCLUSIVE_AFTER = 2;
export const GIVEN_UP_AFTER = EXCLUSIVE_AFTER + 5;
/** Delay before saving notes again after the store was unavailable, ms. */
const SAVE_AGAIN_MS = 1_000;
/** Between two lines of the log about claims that could not be given back. */
const REPORT_EVERY_MS = 60_000;
/** Delay before retrying an item whose store was unavailable, ms. */
const UNAVAILABLE_RETRY_MS = 1_000;
/** Delay before retrying an item that can be neither done nor given up, such as one with an unreadable event, ms. */
const NEITHER_RETRY_MS = 10 * 60_000;
/** Delay before re-checking an item that is settled but still listed, ms. */
const ASK_AGAIN_MS = 1_000;

/** Why work stops: another event ended the item, and the holding is over. */
class Interrupted extends Error {}

type InHand = { readonly key: string; readonly abort: AbortController; readonly done: Promise<Result> };

export function createPerformer(deps: PerformerDeps): Performer {
  const { claims, signal, log } = deps;
  /** An item is present twice if it was claimed again before the confirmation of its release arrived. */
  const inHand = new Set<InHand>();
  /** Claims whose items must run alone, unless their streams say that a step was completed meanwhile. */
  const suspects = new Set<Claim>();

  async function run(
    kind: WorkKind,
    item: WorkItem,
    claim: Claim,
    isSlotWanted: Holding['isSlotWanted'],
    own: AbortSignal,
  ): Promise<Result> {
    try {
      const vanishings = await countVanishings(deps, kind, item, claim);
      if (isLate(kind, item, deps.now())) return await giveUp(kind, item, claim, 'late');
      if (vanishings >= GIVEN_UP_AFTER) return await giveUp(kind, item, claim, 'vanished');
      const release = await enter(claim, vanishings, own);
      suspects.delete(claim);
      try {
        const holding = { held: deps.held, attempts: claim.attempts, isSlotWanted };
        const done = await kind.perform(item, holding, own);
        if (done.outcome === 'settled')
          await saveNotes(claim, { ...settled(done.position, deps.now()), failure: null });
        else await saveNotes(claim, { notBefore: done.notBefore, failure: null });
        return done.outcome;
      } finally {
        release();
      }
    } catch (error) {
      return await failed(kind, item, claim, own, error);
    }
  }

  /**
   * A process that vanishes while the item merely waits in it says nothing about the item: the count is one lower while
   * it waits, to offset such a loss.
   */
  async function enter(claim: Claim, vanishings: number, own: AbortSignal): Promise<() => void> {
    const exclusive = vanishings >= EXCLUSIVE_AFTER;
    if (deps.lock.isFree(exclusive)) return deps.lock.acquire(exclusive, own);
    await claims.note(claim, { vanishings: vanishings - 1 });
    let release: (() => void) | null = null;
    try {
      release = await deps.lock.acquire(exclusive, own);
    } finally {
      await claims.note(claim, { vanishings }).catch((error: unknown) => {
        release?.();
        throw error;
      });
    }
    return release;
  }

  async function failed(
    kind: WorkKind,
    item: WorkItem,
    claim: Claim,
    own: AbortSignal,
    error: unknown,
  ): Promise<Result> {
    const name = itemKey(kind.rule.kind, item.itemId);
    if (own.reason instanceof Interrupted || signal.aborted || !deps.held()) {
      await saveNotes(claim, {});
      return 'given_back';
    }
    // An unavailable store is not the item's fault: nothing is given up for it, however long it takes.
    const unavailable = isStoreUnavailable(error);
    const attempts = unavailable ? claim.attempts : claim.attempts + 1;
    const afterMs = unavailable ? UNAVAILABLE_RETRY_MS : kind.retryAfterMs(attempts);
    log.warn({ err: error, item: name, attempts }, 'a work item failed');
    if (afterMs !== null) return await putOff(claim, attempts, afterMs, error);
    return await giveUp(kind, item, claim, 'failed').catch((cause: unknown) =>
      putOff(claim, attempts, afterNeither(cause), cause),
    );
  }

  async function putOff(claim: Claim, attempts: number, ms: number, error: unknown): Promise<Result> {
    const notBefore = new Date(Date.parse(deps.now()) + ms).toISOString();
    await saveNotes(claim, { attempts, failure: failureOf(error), notBefore });
    return isStoreUnavailable(error) ? 'unavailable' : 'failed';
  }

  async function giveUp(kind: WorkKind, item: WorkItem, claim: Claim, why: WhyGivenUp): Promise<Result> {
    const position = await kind.giveUp(item, why, deps.held);
    if (position === null) {
      await saveNotes(claim, { notBefore: deps.now() });
      return 'later';
    }
    log[why === 'late' ? 'info' : 'error'](
      { item: itemKey(kind.rule.kind, item.itemId), why, attempts: claim.attempts },
      'a work item was given up',
    );
    await saveNotes(claim, settled(position, deps.now()));
    return why === 'late' ? 'settled' : 'given_up';
  }

  let reportedAt = Number.NaN;

  /** A claim whose notes are not saved would stay held for as long as this process lives. */
  async function saveNotes(claim: Claim, notes: Partial<ClaimNotes>): Promise<void> {
    for (;;) {
      try {
        await claims.letGo(claim, notes);
        return;
      } catch (error) {
        const at = Date.parse(deps.now());
        // Of a store that cannot be written, one line says as much as one for each claim and second.
        if (!(Math.abs(at - reportedAt) < REPORT_EVERY_MS)) {
          reportedAt = at;
          log.error({ err: error, item: itemKey(claim.kind, claim.itemId) }, 'a claim could not be released; retrying');
        }
        // When the process stops, its holdings end with it.
        if (signal.aborted) return;
        await wait(SAVE_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  return {
    perform(kind, item, claim, isSlotWanted) {
      const abort = new AbortController();
      // Every request in progress adds a listener, and their number is unlimited.
      setMaxListeners(0, abort.signal);
      const stop = (): void => abort.abort(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      const key = itemKey(kind.rule.kind, item.itemId);
      if (claim.vanishings + (claim.vanished ? 1 : 0) >= EXCLUSIVE_AFTER) suspects.add(claim);
      const done = run(kind, item, claim, isSlotWanted, abort.signal)
        .catch((error: unknown): Result => {
          log.error({ err: error, item: key }, 'a work item could not be settled');
          return 'failed';
        })
        .finally(() => {
          signal.removeEventListener('abort', stop);
          suspects.delete(claim);
          inHand.delete(own);
        });
      const own = { key, abort, done };
      inHand.add(own);
      return done;
    },
    interrupt(kind, itemId, why) {
      for (const { key, abort } of inHand) if (key === itemKey(kind, itemId)) abort.abort(new Interrupted(why));
    },
    isAlone: () => suspects.size > 0 || deps.lock.isClosed(),
    idle: async () => {
      await Promise.all([...inHand].map(({ done }) => done));
    },
  };
}

const afterNeither = (cause: unknown): number => (isStoreUnavailable(cause) ? UNAVAILABLE_RETRY_MS : NEITHER_RETRY_MS);

/**
 * An item that no event has closed, whatever its kind reports, stays in the list: it must not be taken again and again
 * without a delay.
 */
function settled(settledAt: string, now: string): Partial<ClaimNotes> {
  return { settledAt, notBefore: new Date(Date.parse(now) + ASK_AGAIN_MS).toISOString() };
}

/**
 * A vanished holder counts only if no step of the item's stream was completed since. A clean stop returns what it holds
 * and so never counts. The notes preserve the count across the next vanishing.
 */
async function countVanishings(
  { claims }: PerformerDeps,
  kind: WorkKind,
  item: WorkItem,
  claim: Claim,
): Promise<number> {
  const steps = await kind.stepsEnded(item);
  const since = steps > claim.steps ? 0 : claim.vanishings;
  const vanishings = claim.vanished ? since + 1 : since;
  if (vanishings !== claim.vanishings || steps !== claim.steps || claim.vanished)
    await claims.note(claim, { vanishings, steps });
  return vanishings;
}

function isLate({ expiresAfterMs }: WorkKind, { openedAt, dueAt }: WorkItem, now: string): boolean {
  return (
    expiresAfterMs !== undefined && Date.parse(now) - Math.max(Date.parse(openedAt), Date.parse(dueAt)) > expiresAfterMs
  );
}

/** The type of an error without its message, which may contain personal data. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
}
