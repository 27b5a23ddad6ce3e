/**
 * For each lane (user) with pending work, when its next item can be taken. A hint in one process's memory, maintained
 * by changes of the list of items and corrected on reading it; the list itself decides.
 */
import type { WorkItem } from './kind.ts';
import type { Waiting } from './nextItem.ts';

export type LaneState = Omit<Waiting, 'lane'>;

export function stateOf({ dueAt, rank, network }: Pick<WorkItem, 'dueAt' | 'rank' | 'network'>): LaneState {
  return { dueAt, rank, network: network ?? null };
}

export type WaitingLanes = {
  /** The lane has something that is due then, possibly among other items. */
  offer(lane: string, state: LaneState): void;
  /** Counts the offers: to be read before reading the list. */
  offers(): number;
  /** After reading the list since `offers`: all that was found; null: nothing. Later offers take precedence. */
  correct(lane: string, state: LaneState | null, offers: number): void;
  all(): Iterable<Waiting>;
  /** When the first lane is due; null: never. */
  nextDueAt(): string | null;
};

export function createWaitingLanes(): WaitingLanes {
  const lanes = new Map<string, Waiting & { readonly offer: number }>();
  let offers = 0;

  return {
    offer(lane, state) {
      offers += 1;
      const known = lanes.get(lane);
      const first = known && known.dueAt < state.dueAt ? known : state;
      lanes.set(lane, { ...first, lane, rank: Math.max(known?.rank ?? 0, state.rank), offer: offers });
    },
    offers: () => offers,
    correct(lane, state, since) {
      const offer = lanes.get(lane)?.offer ?? 0;
      if (offer > since) return;
      if (state === null) lanes.delete(lane);
      else lanes.set(lane, { ...state, lane, offer });
    },
    all: () => lanes.values(),
    nextDueAt() {
      let first: string | null = null;
      for (const { dueAt } of lanes.values()) if (first === null || dueAt < first) first = dueAt;
      return first;
    },
  };
}
