/** For sweeps that go through the log once, with a delay: their state is where to continue. */

import { type EventOf, type EventType, isOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type EventStore, type Recorded, START } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { SweepRun } from '../sweep.ts';
import { orPassOver } from './orPassOver.ts';

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
 * Passes on each event of a type that is older than `before`, once across all runs. `take` returns whether it did
 * anything, or 'later' to end the run before the event; where it meets an unreadable event, it is not asked again.
 */
export async function eventsSince<Type extends EventType>(
  store: EventStore,
  { kept, type, before, signal }: Stretch<Type>,
  take: (event: Recorded<EventOf<Type>>) => Promise<boolean | 'later'>,
): Promise<SweepRun> {
  // A position ahead of the log means that the log was replaced by an older one.
  let after = kept !== null && comparePositions(kept, await store.head()) <= 0 ? kept : START;
  let done = 0;
  const passedOver: Error[] = [];
  const pace = createPace('background');
  for (;;) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: [type] } });
    for (const event of page.events) {
      if (signal.aborted || event.metadata.at >= before) return { done, kept: after, passedOver };
      // An unreadable event does not hold up others: `npm run log -- verify` reports it.
      const taken = isOf(event, type) && (await orPassOver(passedOver, take(event)));
      if (taken === 'later') return { done, kept: after, passedOver };
      if (taken) done += 1;
      after = event.position;
    }
    if (page.end) return { done, kept: page.next, passedOver };
    after = page.next;
    await pace.pass();
  }
}

/** `ms` before now, UTC ISO. */
export const ago = (now: string, ms: number): string => new Date(Date.parse(now) - ms).toISOString();
