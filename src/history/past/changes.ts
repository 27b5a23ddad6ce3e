/** What changed between two moments: how often what happened, the money that changed hands, and of one user how their documents differ. */
import { accountStream } from '../../domain/account/account.ts';
import { apiKeysStream } from '../../domain/apiKeys/apiKeys.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { jobDeletionsStream } from '../../domain/job/deletions.ts';
import { secondFactorStream } from '../../domain/secondFactor/secondFactor.ts';
import { sequenceMailsStream } from '../../domain/sequence/mails.ts';
import { webhooksStream } from '../../domain/webhooks/webhooks.ts';
import type { EventStore, Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import type { Moment } from './moment.ts';
import { type Moved, movedBy } from './money.ts';

export type Counted = { readonly counts: ReadonlyMap<string, number>; readonly money: readonly Moved[]; readonly events: number };

/** After the first, up to the second. */
export type Between = { readonly from: Moment; readonly to: Moment };

const PAGE = 1_000;
/** So many events are counted for one answer; the rest by the next. */
const AT_ONCE = 20_000;

/** Of the whole installation, a part at a time: `next` says where to go on, and null that all is counted. `reached`: when the last counted event was. */
export async function countAll(
  store: Pick<EventStore, 'readAll'>,
  { from, to }: Between,
  after: Position | null,
  signal: AbortSignal,
): Promise<Counted & { readonly next: Position | null; readonly reached: string }> {
  const counter = createCounter();
  let reached = from.time;
  for (let at = after ?? from.position; ; ) {
    signal.throwIfAborted();
    const page = await store.readAll({ after: at, limit: PAGE });
    const events = page.events.filter(({ position }) => position <= to.position);
    counter.add(events);
    reached = events.at(-1)?.metadata.at ?? reached;
    if (page.end || events.length < page.events.length) return { ...counter.counted(), next: null, reached };
    at = page.next;
    if (counter.counted().events >= AT_ONCE) return { ...counter.counted(), next: at, reached };
  }
}

export type Subject = { readonly userId: string; readonly of: 'user' | 'bill' };

/** The streams that a user's id names. Their jobs have streams of their own; the bill says of each that there was one. */
const streamsOf = ({ userId, of }: Subject): readonly string[] =>
  of === 'bill'
    ? [billingStream(userId)]
    : [accountStream, secondFactorStream, billingStream, apiKeysStream, webhooksStream, sequenceMailsStream, jobDeletionsStream].map((stream) =>
        stream(userId),
      );

/** Of one user, or of a bill alone. */
export async function countOf(store: Pick<EventStore, 'read'>, subject: Subject, { from, to }: Between): Promise<Counted> {
  const counter = createCounter();
  for (const read of await Promise.all(streamsOf(subject).map((stream) => store.read(stream)))) {
    if (read.status === 'found') counter.add(read.events.filter(({ position }) => position > from.position && position <= to.position));
  }
  return counter.counted();
}

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
