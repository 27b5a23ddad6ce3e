/** A report over a log in which every event counts, against raw pages of rows and JSON.parse of the same log. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type NewEvent, type Position, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { startChild } from '../child.ts';
import { openRawLog } from '../log/rawLog.ts';
import { compare, type Figure, milliseconds, rateRow, timed } from '../measure.ts';
import type { AskedReport, FoldedReport } from './reportsChild.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 700;
const EVENTS_OF_A_BILL = 50;
const CAUSE = '0b5f1d3e-9a51-4a0e-8c5f-2f3b1c6f8a11';

/** Bills of `EVENTS_OF_A_BILL` events each: reports that were bought, some of them refunded, `count` in all. */
function* bills(count: number): Generator<{ readonly stream: string; readonly events: readonly NewEvent[] }> {
  for (let written = 0; written < count; ) {
    const userId = randomUUID();
    const events = Array.from({ length: Math.min(EVENTS_OF_A_BILL, count - written) }, (_, nth) => eventOf(userId, nth, written + nth, count));
    written += events.length;
    yield { stream: `billing-${userId}`, events };
  }
}

function eventOf(userId: string, nth: number, position: number, count: number): NewEvent {
  const at = new Date(FIRST_DAY + Math.floor((position / count) * DAYS) * DAY_MS).toISOString();
  const metadata = { actor: { kind: 'user', id: userId } as const, at, correlationId: CAUSE, causationId: CAUSE };
  const refunds = nth % 10 === 9;
  const payment = { userId, paymentIntentId: `pi_${userId}_${refunds ? nth - 1 : nth}`, amount: 5_000, currency: 'usd', funds: 5_000, balance: 5_000 };
  return refunds
    ? { id: randomUUID(), type: 'PaymentRefunded', data: { ...payment, refundId: `re_${userId}_${nth}`, refundedAt: at }, metadata }
    : { id: randomUUID(), type: 'FundsAdded', data: { ...payment, quantity: 1, addedAt: at }, metadata };
}

export const reports: Figure = {
  name: 'reports',
  async measure({ rounds, dir, full }) {
    const count = full ? 1_000_000 : 100_000;
    const file = join(dir, 'reports-ours.db');
    const log = openSqliteEventStore({ file });
    // With the version and the hash that every event of the product has.
    const store = withStoredEvents(log);
    const raw = openRawLog(join(dir, 'reports-raw.db'));
    let pending: Promise<unknown>[] = [];
    for (const { stream, events } of bills(count)) {
      pending.push(store.append(stream, events, { expected: 'no_stream' }));
      if (pending.length < 200) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
    // The raw log holds the same events as they are stored, with their hashes.
    for (let after: Position = START, end = false; !end; ) {
      const page = await log.readAll({ after, limit: 1_000 });
      raw.appendGroup(page.events.map((event) => ({ stream: event.stream, event })));
      ({ next: after, end } = page);
    }
    await log.close();
    const asOf = new Date(FIRST_DAY + DAYS * DAY_MS).toISOString();
    let peak = 0;
    let longest = 0;
    const compared = await compare(
      rounds,
      async () => {
        // A new process for each, as a report from a terminal has.
        const child = startChild('readModels/reportsChild');
        const folded = await child.ask<FoldedReport>({ file, asOf } satisfies AskedReport);
        await child.stop();
        if (folded.events !== count) throw new Error(`Folded ${folded.events} of ${count} events.`);
        peak = Math.max(peak, folded.peak);
        longest = Math.max(longest, folded.ms);
        return (count * 1_000) / folded.ms;
      },
      async () => {
        let read = 0;
        const took = await timed(() => {
          read = raw.replay();
        });
        if (read !== count) throw new Error(`Read ${read} of ${count} raw events.`);
        return (read * 1_000) / took;
      },
    );
    raw.close();
    const megabytes = Math.round(peak / 1e6);
    const events = count.toLocaleString('en-US');
    const limit = '–';
    return [
      rateRow(`the revenue of ${events} events, every one of which counts`, compared, 0.5),
      { what: 'the same: the slowest run', ours: milliseconds(longest), limit, ratio: null, goal: '< 10 s for 10^6', met: longest < 10_000 },
      { what: 'the same: memory of the process that folds', ours: `${megabytes} MB`, limit, ratio: null, goal: '< 300 MB for 10^6', met: megabytes < 300 },
    ];
  },
};
