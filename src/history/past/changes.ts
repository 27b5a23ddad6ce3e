/**
 * What changed between two moments: event counts, money that changed hands and, for one user, how their documents
 * differ.
 */

import { accountStream } from '../../domain/account/events.ts';
import { apiKeysStream } from '../../domain/apiKeys/events.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { jobDeletionsStream, jobStream } from '../../domain/job/events.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { planStream } from '../../domain/plan/events.ts';
import { openedStream, reportStream } from '../../domain/report/events.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { sequenceMailsStream } from '../../domain/sequence/events.ts';
import { sharesStream, shareVisitsStream } from '../../domain/share/events.ts';
import { webhooksStream } from '../../domain/webhooks/events.ts';
import type { EventStore, Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { reservations } from './jobLists.ts';
import type { Moment } from './moment.ts';
import { type Moved, movedBy } from './money.ts';

export type Counted = {
  readonly counts: ReadonlyMap<string, number>;
  readonly money: readonly Moved[];
  readonly events: number;
};

/** After `from`, up to and including `to`. */
export type Between = { readonly from: Moment; readonly to: Moment };

const PAGE = 1_000;
/** Maximum number of events counted per response; the next one continues. */
const AT_ONCE = 20_000;

/**
 * Counts the whole installation, one part at a time. `next` is where to continue, or null when done. `reached`: time of
 * the last counted event.
 */
export async function countAll(
  store: Pick<EventStore, 'readAll'>,
  { from, to }: Between,
  after: Position | null,
  signal: AbortSignal,
): Promise<Counted & { readonly next: Position | null; readonly reached: string }> {
  const counter = createCounter();
  let reached = from.time;
  const pace = createPace('request');
  for (let at = after ?? from.position; ; ) {
    signal.throwIfAborted();
    const page = await store.readAll({ after: at, limit: PAGE });
    const events = page.events.filter(({ position }) => position <= to.position);
    counter.add(events);
    reached = events.at(-1)?.metadata.at ?? reached;
    if (page.end || events.length < page.events.length) return { ...counter.counted(), next: null, reached };
    at = page.next;
    if (counter.counted().events >= AT_ONCE) return { ...counter.counted(), next: at, reached };
    await pace.pass();
  }
}

export type Subject = { readonly userId: string; readonly of: 'user' | 'bill' };

/** Number of a user's newest jobs whose events are counted. */
export const JOBS_COUNTED = 100;
const CHUNK = 200;

/** The streams named by a user id. */
const streamsOf = ({ userId, of }: Subject): readonly string[] =>
  of === 'bill'
    ? [billingStream(userId)]
    : [
        accountStream,
        secondFactorStream,
        logInStream,
        billingStream,
        apiKeysStream,
        webhooksStream,
        sequenceMailsStream,
        jobDeletionsStream,
      ].map((stream) => stream(userId));

/** The streams named by a job id: the job, its plan, its report and its shared links. */
const streamsOfJob = (jobId: string): readonly string[] =>
  [jobStream, planStream, reportStream, openedStream, sharesStream, shareVisitsStream].map((stream) => stream(jobId));

/** `jobs`: how many of the user's jobs were looked at, and whether there are older ones; null for a bill alone. */
type CountedOf = Counted & { readonly jobs: { readonly counted: number; readonly more: boolean } | null };

/** For one user with their newest jobs, or for their bill only. */
export async function countOf(
  store: Pick<EventStore, 'read'>,
  subject: Subject,
  between: Between,
  signal: AbortSignal,
): Promise<CountedOf> {
  const counter = createCounter();
  const add = (streams: readonly string[]) =>
    Promise.all(streams.map((stream) => addStream(store, stream, between, counter, signal)));
  await add(streamsOf(subject));
  if (subject.of === 'bill') return { ...counter.counted(), jobs: null };
  let counted = 0;
  for await (const { position, data } of reservations(store, subject.userId, undefined, signal)) {
    if (position > between.to.position) continue;
    if (counted === JOBS_COUNTED) return { ...counter.counted(), jobs: { counted, more: true } };
    await add(streamsOfJob(data.jobId));
    counted += 1;
  }
  return { ...counter.counted(), jobs: { counted, more: false } };
}

/** Read backward, so that of a long stream only what happened since the first moment is read. */
async function addStream(
  store: Pick<EventStore, 'read'>,
  stream: string,
  { from, to }: Between,
  counter: Counter,
  signal: AbortSignal,
): Promise<void> {
  const pace = createPace('request');
  for (let revision: bigint | null = null; ; ) {
    signal.throwIfAborted();
    const read = await store.read(stream, {
      direction: 'backward',
      limit: CHUNK,
      ...(revision === null ? {} : { from: revision }),
    });
    const events: readonly RecordedEvent[] = read.status === 'found' ? read.events : [];
    counter.add(events.filter(({ position }) => position > from.position && position <= to.position));
    const first = events.at(-1);
    if (!first || events.length < CHUNK || first.revision === 0n || first.position <= from.position) return;
    revision = first.revision - 1n;
    await pace.pass();
  }
}

type Counter = ReturnType<typeof createCounter>;

function createCounter() {
  const counts = new Map<string, number>();
  const money = new Map<string, Moved>();
  let total = 0;
  return {
    add: (events: readonly RecordedEvent[]): void => {
      for (const event of events) {
        total += 1;
        counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
        const moved = movedBy(event);
        if (!moved) continue;
        const before = money.get(moved.currency) ?? { currency: moved.currency, in: 0, out: 0 };
        money.set(moved.currency, { ...before, in: before.in + moved.in, out: before.out + moved.out });
      }
    },
    counted: (): Counted => ({ counts, money: [...money.values()], events: total }),
  };
}
