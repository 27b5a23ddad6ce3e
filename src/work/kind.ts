/**
 * A kind of work: takes time, may fail and must be shared fairly. The log defines what is pending: some events open an
 * item, others close it. The rule (pure) produces the list of items; the rest says how an item is performed. One file
 * per kind in `kinds/`; `docs/recipes.md` has the recipe.
 */
import type { WhyGivenUp } from '../commands/work/giveUpWork.ts';
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import type { Position, Recorded, RecordedEvent } from '../eventStore/eventStore.ts';

/** What an event says about the item it opens. */
export type Opening = {
  /** Derived from data that both opening and closing events carry, never looked up. */
  readonly itemId: string;
  /** Whose share of the work it counts towards: the user, if the event names one. */
  readonly lane: string;
  /** UTC ISO; not taken before then. Default: the time of the event. */
  readonly dueAt?: string;
  /** Higher goes first, among lanes otherwise equal. Default 0. */
  readonly rank?: number;
  /** All items with the same one share half of each process's slots. Default: it has none. */
  readonly network?: string;
};

/** Which events open work, and which close it. Pure: read models are built from it. */
export type WorkRule = {
  readonly kind: string;
  /** By event type. Null: this event opens nothing. */
  readonly opens: Readonly<Record<string, (event: RecordedEvent) => Opening | null>>;
  /** By event type: the id of the item that is done or given up; null: none. */
  readonly closes: Readonly<Record<string, (event: RecordedEvent) => string | null>>;
  /** The closing events that interrupt whoever holds the item, because others write them too. */
  readonly interrupts?: readonly string[];
  /** By event type: an item that stays pending, but not before then. */
  readonly defers?: Readonly<
    Record<string, (event: RecordedEvent) => { readonly itemId: string; readonly dueAt: string } | null>
  >;
};

/** Entries of a rule for these event types, with their data as stored. */
export function on<Type extends EventType, Result>(
  types: Type | readonly Type[],
  map: (event: Recorded<EventOf<Type>>) => Result | null,
) {
  const list = typeof types === 'string' ? [types] : types;
  return Object.fromEntries(
    list.map((type) => [type, (event: RecordedEvent): Result | null => (isOf(event, type) ? map(event) : null)]),
  );
}

/** An item in the read model `workItems`. */
export type WorkItem = {
  readonly kind: string;
  readonly itemId: string;
  readonly lane: string;
  /**
   * Position of the event that opened it, or requested it again: state kept about earlier attempts no longer counts.
   */
  readonly opening: string;
  readonly openedAt: string;
  /** UTC ISO. */
  readonly dueAt: string;
  readonly rank: number;
  readonly network?: string;
  /** The event that opened it. */
  readonly opener: { readonly id: string; readonly stream: string; readonly revision: string; readonly type: string };
};

/** The outcome of an attempt. `settled`: an event says so, up to this position. `later`: its stream says 'not yet'. */
export type WorkOutcome =
  | { readonly outcome: 'settled'; readonly position: string }
  | { readonly outcome: 'later'; readonly notBefore: string };

/** What `perform` knows about its claim. */
export type Holding = {
  /** False as soon as another process may have claimed the item: checked right before the first event is appended. */
  readonly held: () => boolean;
  /** Failed attempts before this one. */
  readonly attempts: number;
  /** Whether an item that waits would begin if this one gave up its slot. */
  readonly isSlotWanted: () => Promise<boolean>;
};

export type WorkKind = {
  readonly rule: WorkRule;
  /** Concurrent items: in this process, and per lane in the whole installation. */
  readonly parallel: number;
  readonly parallelOfLane: number;
  /**
   * How many of this process's slots are reserved for lanes with nothing in progress that have begun nothing since 00:00
   * UTC: a new user need not wait for others' long work. Default 0.
   */
  readonly keptForIdle?: number;
  /** Whether the lane has begun an item since that time (UTC ISO). Default: only what this process knows. */
  readonly hadSince?: (lane: string, since: string) => Promise<boolean>;
  /**
   * Completed steps in the item's stream: a vanished holder counts against the item only if none was completed since.
   */
  readonly stepsEnded: (item: WorkItem) => Promise<number>;
  /**
   * Performs the item. Folds the subject's stream first; if the subject is gone, it closes the item by an event. Throws
   * when it should be retried; when `signal` aborts it ends soon, with any result.
   */
  readonly perform: (item: WorkItem, holding: Holding, signal: AbortSignal) => Promise<WorkOutcome>;
  /** Delay after failed attempt number `attempts` (from 1), ms; null: no more, it is given up. */
  readonly retryAfterMs: (attempts: number) => number | null;
  /**
   * Writes the event that gives it up, and returns its position; null: another process wrote to its stream, so another
   * attempt may have begun. As with the first event of an attempt, `held` is checked after its stream was folded.
   */
  readonly giveUp: (item: WorkItem, why: WhyGivenUp, held: () => boolean) => Promise<Position | null>;
  /** How long it stays pending once due, ms. Default: forever. */
  readonly expiresAfterMs?: number;
};

const BASE_MS = 2_000;
const CAP_MS = 60 * 60 * 1_000;

/**
 * A random delay up to base × 2^(attempts-1), so that simultaneous failures spread out; null after `most` failed
 * attempts.
 */
export function fullJitter(random: () => number, most = Number.POSITIVE_INFINITY): (attempts: number) => number | null {
  return (attempts) =>
    attempts >= most ? null : random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts - 1, 30));
}
