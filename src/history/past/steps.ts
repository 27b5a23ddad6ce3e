/** The life of a job or a bill as steps for a slider. */

import { billingStream } from '../../domain/billing/events.ts';
import { jobStream } from '../../domain/job/events.ts';
import { planStream } from '../../domain/plan/events.ts';
import { reportStream } from '../../domain/report/events.ts';
import { sharesStream } from '../../domain/share/events.ts';
import { comparePositions, type EventStore, type RecordedEvent } from '../../eventStore/eventStore.ts';

/** Maximum number of steps; the newest are kept. */
export const MOST_STEPS = 1_000;

/**
 * Events of one type written by one command (such as the parts of a report) form one step, which ends with the last of
 * them.
 */
export type Step = { readonly event: RecordedEvent; readonly events: number };

/** Higher than the number of steps, since parts are merged. */
const MOST_EVENTS = 4 * MOST_STEPS;

export function stepsOfJob(store: Pick<EventStore, 'read'>, jobId: string): Promise<Steps> {
  return stepsOf(
    store,
    [jobStream, planStream, reportStream, sharesStream].map((stream) => stream(jobId)),
  );
}

export function stepsOfBill(store: Pick<EventStore, 'read'>, userId: string): Promise<Steps> {
  return stepsOf(store, [billingStream(userId)]);
}

/** In log order. `earlier`: earlier steps were left out. */
export type Steps = { readonly steps: readonly Step[]; readonly earlier: boolean };

async function stepsOf(store: Pick<EventStore, 'read'>, streams: readonly string[]): Promise<Steps> {
  const read = await Promise.all(
    streams.map((stream) => store.read(stream, { direction: 'backward', limit: MOST_EVENTS })),
  );
  const events = read
    .flatMap((each) => (each.status === 'found' ? each.events : []))
    .sort((a, b) => comparePositions(a.position, b.position));
  const steps: Step[] = [];
  for (const event of events) {
    const last = steps.at(-1);
    if (last && isSame(last.event, event)) steps[steps.length - 1] = { event, events: last.events + 1 };
    else steps.push({ event, events: 1 });
  }
  const cut = read.some((each) => each.status === 'found' && each.events.length === MOST_EVENTS);
  return { steps: steps.slice(-MOST_STEPS), earlier: cut || steps.length > MOST_STEPS };
}

const isSame = (a: RecordedEvent, b: RecordedEvent): boolean =>
  a.type === b.type &&
  a.stream === b.stream &&
  a.metadata.causationId === b.metadata.causationId &&
  a.metadata.at === b.metadata.at;
