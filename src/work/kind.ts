/**
 * A kind of work: what takes time, may fail and must be shared fairly. The log says what is pending: some events open an item, others close it.
 * The rule (pure) makes the list of items; the rest says how an item is done. One file a kind in `kinds/`; `docs/recipes.md` has the recipe.
 */
import type { WhyGivenUp } from '../commands/work/giveUpWork.ts';
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import type { Position, Recorded, RecordedEvent } from '../eventStore/eventStore.ts';

/** What an event says of the item that it opens. */
export type Opening = {
  /** Made of what opener and closer both carry, never looked up. */
  readonly itemId: string;
  /** Whose share of the work it counts for: the user, where the event names one. */
  readonly lane: string;
  /** UTC ISO; before it nobody takes the item. Default: the time of the event. */
  readonly dueAt?: string;
  /** The higher, the sooner, among those of equal right. Default 0. */
  readonly rank?: number;
};

/** Which events open work, and which end it. Pure: read models are built from it. */
export type WorkRule = {
  readonly kind: string;
  /** By event type. Null: this one opens nothing. */
  readonly opens: Readonly<Record<string, (event: RecordedEvent) => Opening | null>>;
  /** By event type: the id of the item that is done or given up; null: none. */
  readonly closes: Readonly<Record<string, (event: RecordedEvent) => string | null>>;
  /** Of those that close: after which of them whoever has the item in hand stops at once, as others write them too. */
  readonly interrupts?: readonly string[];
  /** By event type: an item that stays pending, but not before then. */
  readonly defers?: Readonly<Record<string, (event: RecordedEvent) => { readonly itemId: string; readonly dueAt: string } | null>>;
};

/** Rows of a rule for these types of events, with their data as they are stored. */
export function on<Type extends EventType, Result>(types: Type | readonly Type[], map: (event: Recorded<EventOf<Type>>) => Result | null) {
  const list = typeof types === 'string' ? [types] : types;
  return Object.fromEntries(list.map((type) => [type, (event: RecordedEvent): Result | null => (isOf(event, type) ? map(event) : null)]));
}

/** An item as the read model `workItems` has it. */
export type WorkItem = {
  readonly kind: string;
  readonly itemId: string;
  readonly lane: string;
  /** Position of the event that opened it, or asked for it anew: what was noted of earlier tries counts no more. */
  readonly opening: string;
  readonly openedAt: string;
  /** UTC ISO. */
  readonly dueAt: string;
  readonly rank: number;
  /** Where the event stands that opened it. */
  readonly opener: { readonly id: string; readonly stream: string; readonly revision: string; readonly type: string };
};

/** What became of a try. `settled`: an event says so, up to this position. `later`: its stream says 'not yet'. */
export type WorkOutcome = { readonly outcome: 'settled'; readonly position: string } | { readonly outcome: 'later'; readonly notBefore: string };

/** What `perform` knows of its claim. */
export type Holding = {
  /** False as soon as another may have taken the item: asked right before the first event is appended. */
  readonly held: () => boolean;
  /** Tries that failed before this one. */
  readonly attempts: number;
};

export type WorkKind = {
  readonly rule: WorkRule;
  /** Items in hand at once: in this process, and of one lane in the whole installation. */
  readonly parallel: number;
  readonly parallelOfLane: number;
  /** Of this process's places, those that only a lane with nothing in hand may take: whoever comes next need not wait for others' long work. Default 0. */
  readonly keptForIdle?: number;
  /** Steps of the item's stream that have ended: a vanished holder counts against the item only when none has ended since. */
  readonly stepsEnded: (item: WorkItem) => Promise<number>;
  /**
   * Does it. Folds the subject's stream before anything else; what is gone is closed by an event. Throws when it should be tried again;
   * when `signal` aborts it ends soon, with whatever.
   */
  readonly perform: (item: WorkItem, holding: Holding, signal: AbortSignal) => Promise<WorkOutcome>;
  /** Wait after failed try number `attempts` (from 1), ms; null: no more, it is given up. */
  readonly retryAfterMs: (attempts: number) => number | null;
  /**
   * Writes the event that gives it up, and answers its position; null: somebody else wrote to its stream, so perhaps another try has begun. As with
   * the first event of a try, `held` is asked after its stream was folded.
   */
  readonly giveUp: (item: WorkItem, why: WhyGivenUp, held: () => boolean) => Promise<Position | null>;
  /** How long it is pending at all once it is due, ms. Default: for ever. */
  readonly expiresAfterMs?: number;
};
