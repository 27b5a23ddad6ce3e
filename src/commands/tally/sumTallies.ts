/** Deleting tallies: what they counted stays as sums by day, which name nobody. */
import { billingStream } from '../../domain/billing/events.ts';
import { type EventOf, type EventType, isOf } from '../../domain/stored/eventOf.ts';
import {
  endOfMonth,
  monthOf,
  monthOfStream,
  TALLY_TYPES,
  type TallySumEvent,
  tallyStreamsIn,
  tallyStreamsOf,
  tallySumsStream,
} from '../../domain/tally/events.ts';
import {
  addPurchase,
  addTally,
  daySums,
  forgetUser,
  noTallies,
  PURCHASE_TYPES,
  type Tallies,
} from '../../domain/tally/tallies.ts';
import {
  comparePositions,
  type EventStore,
  type Position,
  type Recorded,
  type RecordedEvent,
  RevisionConflict,
} from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { ascending } from '../../model/order.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';
import { someAtOnce } from '../someAtOnce.ts';

/** Safe to repeat: what is deleted is not summed again. */
export async function deleteTalliesOf(ctx: CommandContext, userId: string): Promise<void> {
  const now = ctx.now();
  const found: RecordedEvent[] = [];
  await someAtOnce(tallyStreamsOf(userId, now), async (stream) => {
    const read = await ctx.store.read(stream);
    if (read.status === 'found') found.push(...read.events);
  });
  if (found.length > 0) {
    const tallies = noTallies();
    const isSummed = await summedMonths(ctx.store, found);
    const bill = await ctx.store.read(billingStream(userId));
    const own = found.filter(({ stream }) => !isSummed.has(monthOfStream(stream) ?? ''));
    const all = [...own, ...(bill.status === 'found' ? bill.events : [])];
    for (const event of all.sort((one, other) => comparePositions(one.position, other.position))) add(tallies, event);
    await appendSums(ctx, { sumId: derivedId(userId, 'sums of tallies'), days: daySums(tallies) });
  }
  // Also those that do not exist yet, but may: what a process has counted by now is written up to an hour later.
  const hourAgo = new Date(Date.parse(now) - 60 * 60 * 1_000).toISOString();
  const current = [hourAgo, now].flatMap((at) => tallyStreamsIn(monthOf(at), userId));
  const streams = new Set([...found.map(({ stream }) => stream), ...current]);
  await someAtOnce([...streams], (stream) => ctx.store.delete(stream));
}

/** Those whose sums have been written, but whose tallies are not deleted yet. */
async function summedMonths(store: EventStore, events: readonly RecordedEvent[]): Promise<ReadonlySet<string>> {
  const summed = new Set<string>();
  for (const month of new Set(events.map(({ stream }) => monthOfStream(stream) ?? ''))) {
    const read = await store.read(tallySumsStream(sumIdOf(month)), { limit: 1 });
    if (read.status === 'found') summed.add(month);
  }
  return summed;
}

const sumIdOf = (month: string): string => derivedId(month, 'sums of tallies');

const PAGE = 500;
/** A tally is written up to an hour after what it counts, and clocks differ. */
const LATE_MS = 2 * 24 * 60 * 60 * 1_000;

/**
 * Deletes all tallies of the oldest month that there are any of after a position, if that month has ended by `before`
 * (UTC ISO). Returns how many streams it deleted, and the position from which to go on; null: none is due, or aborted.
 */
export async function deleteOldestMonth(
  ctx: CommandContext,
  { after, before, signal }: { readonly after: Position; readonly before: string; readonly signal: AbortSignal },
): Promise<{ readonly deleted: number; readonly next: Position } | null> {
  const { store } = ctx;
  const oldest = await oldestTally(store, after);
  const month = oldest && monthOfStream(oldest.stream);
  if (!month || endOfMonth(month) > before) return null;
  const end = Math.max(Date.parse(endOfMonth(month)), Date.parse(oldest.metadata.at));
  const until = new Date(end + LATE_MS).toISOString();
  const tallies = noTallies();
  const range = { after, until, signal };
  await eachEvent(store, { ...range, types: [...TALLY_TYPES, ...PURCHASE_TYPES] }, (event) => {
    if (monthOfStream(event.stream) === (isTally(event) ? month : null)) add(tallies, event);
  });
  // Their tallies are summed with their deletion.
  await eachEvent(store, { ...range, until: null, types: ['AccountDeleted'] }, (event) => {
    if (isOf(event, 'AccountDeleted')) forgetUser(tallies, event.data.userId);
  });
  if (signal.aborted) return null;
  await appendSums(ctx, { sumId: sumIdOf(month), month, days: daySums(tallies) });
  const deleted = new Set<string>();
  let next: Position | null = null;
  let last = after;
  await eachEvent(store, { ...range, types: TALLY_TYPES }, async ({ stream, position }) => {
    // Those of the next month may lie between.
    if (monthOfStream(stream) !== month) next ??= last;
    else if (!deleted.has(stream)) {
      await store.delete(stream);
      deleted.add(stream);
    }
    last = position;
  });
  return signal.aborted ? null : { deleted: deleted.size, next: next ?? last };
}

/** Of the first ones: one of the month before may follow. */
async function oldestTally(store: EventStore, after: Position): Promise<RecordedEvent | null> {
  for (let from = after; ; ) {
    const { events, next, end } = await store.readAll({ after: from, limit: PAGE, filter: { types: TALLY_TYPES } });
    const [oldest] = events.toSorted((one, other) =>
      ascending(monthOfStream(one.stream) ?? '', monthOfStream(other.stream) ?? ''),
    );
    if (oldest || end) return oldest ?? null;
    from = next;
  }
}

type Range = {
  readonly after: Position;
  /** Null: up to the end of the log. */
  readonly until: string | null;
  readonly types: readonly EventType[];
  readonly signal: AbortSignal;
};

async function eachEvent(
  store: EventStore,
  { after, until, types, signal }: Range,
  take: (event: RecordedEvent) => void | Promise<void>,
): Promise<void> {
  const pace = createPace('background');
  for (let from = after; ; ) {
    const page = await store.readAll({ after: from, limit: PAGE, filter: { types } });
    for (const event of page.events) {
      if (signal.aborted || (until !== null && event.metadata.at > until)) return;
      await take(event);
    }
    if (page.end) return;
    from = page.next;
    await pace.pass();
  }
}

const isTally = (event: RecordedEvent): event is Recorded<EventOf<(typeof TALLY_TYPES)[number]>> =>
  isOf(event, ...TALLY_TYPES);

function add(tallies: Tallies, event: RecordedEvent): void {
  if (isTally(event)) addTally(tallies, event);
  else if (isOf(event, ...PURCHASE_TYPES)) addPurchase(tallies, event, Date.parse(event.metadata.at));
}

/** Once per `sumId`. */
async function appendSums(ctx: CommandContext, sums: Omit<TallySumEvent['data'], 'summedAt'>): Promise<void> {
  if (sums.days.length === 0) return;
  const event: TallySumEvent = { type: 'TalliesSummed', data: { ...sums, summedAt: ctx.now() } };
  const stream = tallySumsStream(sums.sumId);
  await ctx.store
    .append(stream, [envelope(ctx, derivedId(sums.sumId, 'event'), event)], { expected: 'no_stream' })
    .catch((error: unknown) => {
      if (!(error instanceof RevisionConflict)) throw error;
    });
}
