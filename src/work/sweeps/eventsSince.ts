/** For sweeps that go through the log once, with a delay: their state is where to continue. */
import { type EventOf, type EventType, isOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type EventStore, type Position, type Recorded, START } from '../../eventStore/eventStore.ts';

type Stretch<Type> = {
  /** The state of the last run. */
  readonly kept: string | null;
  readonly type: Type;
  /** Events of this time and later are left to another run (UTC ISO). */
  readonly before: string;
  readonly signal: AbortSignal;
};

const PAGE = 200;

/**
 * Passes on each event of a type that is older than `before`, once across all runs; returns the new state. `take` returns whether it did anything, or 'later'
 * to end the run before the event.
 */
export async function eventsSince<Type extends EventType>(
  store: EventStore,
  { kept, type, before, signal }: Stretch<Type>,
  take: (event: Recorded<EventOf<Type>>) => Promise<boolean | 'later'>,
): Promise<{ readonly done: number; readonly kept: Position }> {
  // A position ahead of the log means that the log was replaced by an older one.
  let after = kept !== null && comparePositions(kept, await store.head()) <= 0 ? kept : START;
  let done = 0;
  for (;;) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: [type] } });
    for (const event of page.events) {
      if (signal.aborted || event.metadata.at >= before) return { done, kept: after };
      // An unreadable event does not hold up others: `npm run log -- verify` reports it.
      const taken = isOf(event, type) && (await take(event));
      if (taken === 'later') return { done, kept: after };
      if (taken) done += 1;
      after = event.position;
    }
    if (page.end) return { done, kept: page.next };
    after = page.next;
    // The embedded store never yields to the event loop, and the first run goes through the whole log.
    await new Promise(setImmediate);
  }
}

/** `ms` before now, UTC ISO. */
export const ago = (now: string, ms: number): string => new Date(Date.parse(now) - ms).toISOString();
