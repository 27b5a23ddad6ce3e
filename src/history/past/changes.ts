/** What changed between two moments: event counts, money that changed hands and, for one user, how their documents differ. */
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

/** After `from`, up to and including `to`. */
export type Between = { readonly from: Moment; readonly to: Moment };

const PAGE = 1_000;
/** Maximum number of events counted per response; the next one continues. */
const AT_ONCE = 20_000;

/** Counts the whole installation, one part at a time. `next` is where to continue, or null when done. `reached`: time of the last counted event. */
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

/** The streams named by a user id. Jobs have their own streams, but the bill records each of them. */
const streamsOf = ({ userId, of }: Subject): readonly string[] =>
  of === 'bill'
    ? [billingStream(userId)]
    : [accountStream, secondFactorStream, billingStream, apiKeysStream, webhooksStream, sequenceMailsStream, jobDeletionsStream].map((stream) =>
        stream(userId),
      );

/** For one user, or for their bill only. */
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
