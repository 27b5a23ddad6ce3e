/** Keeps every event of the log from when it was written, so that events erased later can still be checked. */
import { setTimeout as wait } from 'node:timers/promises';
import { type EventStore, type Position, START } from '../../../src/eventStore/eventStore.ts';
import type { Claim } from '../../../src/readModels/claims.ts';
import { itemKey } from '../../../src/work/items.ts';
import { EXCLUSIVE_AFTER } from '../../../src/work/performer.ts';
import type { Arena } from '../arena.ts';
import { toWorkEvent, type WorkEvent, type WorkView } from './workLog.ts';

/** The delay before an interrupted subscription is restarted, ms. */
const PAUSE_MS = 100;

export type Witness = {
  /**
   * While the one process that has the files is down: reads the new events, and returns the items that must run alone
   * from now on.
   */
  look(): Promise<ReadonlySet<string>>;
  /** Everything seen, plus the final log. */
  record(view: WorkView): readonly WorkEvent[];
  stop(): Promise<void>;
};

export function openWitness(arena: Pick<Arena, 'peek' | 'follow'>): Witness {
  const seen: WorkEvent[] = [];
  const stopping = new AbortController();
  const lastSeen = (): Position => seen.at(-1)?.position ?? START;
  const following = arena.follow?.((event) => void seen.push(event), stopping.signal) ?? Promise.resolve();
  return {
    async look() {
      const peeked = await arena.peek?.(lastSeen());
      seen.push(...(peeked?.events ?? []));
      const steps = stepsEnded(seen);
      const alone = (peeked?.claims ?? []).filter(
        (claim) => vanishingsOf(claim, steps.get(itemKey(claim.kind, claim.itemId)) ?? 0) >= EXCLUSIVE_AFTER,
      );
      return new Set(alone.map(({ kind, itemId }) => itemKey(kind, itemId)));
    },
    record({ log }) {
      const positions = new Set(seen.map(({ position }) => position));
      return [...seen, ...log.filter(({ position }) => !positions.has(position))].sort((a, b) =>
        a.position < b.position ? -1 : 1,
      );
    },
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}

/** As the next process will count them: only crashes since the last finished step. */
const vanishingsOf = ({ vanishings, vanished, steps }: Claim, stepsNow: number): number =>
  (stepsNow > steps ? 0 : vanishings) + (vanished ? 1 : 0);

/** Steps of audits, and answered attempts of deliveries. */
function stepsEnded(log: readonly WorkEvent[]): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  for (const { type, data } of log) {
    const key =
      type === 'JobStepEnded'
        ? `audit/${String(data.jobId)}`
        : type === 'WebhookTried'
          ? `webhook/${String(data.deliveryId)}`
          : null;
    if (key !== null) steps.set(key, (steps.get(key) ?? 0) + 1);
  }
  return steps;
}

/**
 * All events from the beginning, each as soon as it is written, until the signal aborts. Retries while the store is
 * unavailable.
 */
export async function followLog(
  store: EventStore,
  take: (event: WorkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let after: Position = START;
  while (!signal.aborted) {
    try {
      for await (const message of store.subscribe({ after, signal })) {
        if (message.kind !== 'events') continue;
        for (const event of message.events) take(toWorkEvent(event));
        after = message.events.at(-1)?.position ?? after;
      }
    } catch {
      // Interrupted: continues from its position.
    }
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}
