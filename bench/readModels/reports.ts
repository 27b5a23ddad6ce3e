/**
 * Reports against raw pages of rows and JSON.parse of the same log: revenue, where every event counts, and all of them
 * on a log with every type of event.
 */
import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../src/eventStore/eventStore.ts';
import { startChild } from '../child.ts';
import { type Bench, compare, type Figure, milliseconds, type Row, rateRow } from '../measure.ts';
import { DAYS, FIRST_DAY, timeOf, type Written } from './everyEvent.ts';
import { everyReportRows, pairReportRows } from './everyReport.ts';
import { rawRate, writeBoth } from './reportLogs.ts';
import type { FoldedReport, ReportRequest } from './reportsChild.ts';

const EVENTS_OF_A_BILL = 50;
const CAUSE = '0b5f1d3e-9a51-4a0e-8c5f-2f3b1c6f8a11';
/** The day after the last. */
const AS_OF = new Date(FIRST_DAY + DAYS * 24 * 60 * 60 * 1_000).toISOString();

/** Bills of `EVENTS_OF_A_BILL` events each: reports that were bought, some of them refunded, `count` in all. */
function* bills(count: number): Generator<Written> {
  for (let written = 0; written < count; ) {
    const userId = randomUUID();
    const events = Array.from({ length: Math.min(EVENTS_OF_A_BILL, count - written) }, (_, nth) =>
      eventOf(userId, nth, timeOf(written + nth, count)),
    );
    written += events.length;
    yield { stream: `billing-${userId}`, events };
  }
}

function eventOf(userId: string, nth: number, at: string): NewEvent {
  const metadata = { actor: { kind: 'user', id: userId } as const, at, correlationId: CAUSE, causationId: CAUSE };
  const refunds = nth % 10 === 9;
  const payment = {
    userId,
    paymentIntentId: `pi_${userId}_${refunds ? nth - 1 : nth}`,
    amount: 5_000,
    currency: 'usd',
    funds: 5_000,
    balance: 5_000,
  };
  return refunds
    ? {
        id: randomUUID(),
        type: 'PaymentRefunded',
        data: { ...payment, refundId: `re_${userId}_${nth}`, refundedAt: at },
        metadata,
      }
    : { id: randomUUID(), type: 'FundsAdded', data: { ...payment, quantity: 1, addedAt: at }, metadata };
}

async function revenueRows({ rounds, dir, full }: Bench): Promise<readonly Row[]> {
  const count = full ? 1_000_000 : 100_000;
  const { file, raw } = await writeBoth(dir, 'reports', bills(count));
  let peak = 0;
  let longest = 0;
  const ours = async () => {
    // A new process for each, as a report from a terminal has.
    const child = startChild('readModels/reportsChild');
    const folded = await child.ask<FoldedReport>({
      log: file,
      reports: ['revenue'],
      asOf: AS_OF,
    } satisfies ReportRequest);
    await child.stop();
    if (folded.events !== count) throw new Error(`Folded ${folded.events} of ${count} events.`);
    peak = Math.max(peak, folded.peak);
    longest = Math.max(longest, folded.ms);
    return (count * 1_000) / folded.ms;
  };
  const compared = await compare(rounds, ours, rawRate(raw, count));
  raw.close();
  const megabytes = Math.round(peak / 1e6);
  const limit = '–';
  return [
    rateRow(`the revenue of ${count.toLocaleString('en-US')} events, every one of which counts`, compared, 0.5),
    {
      what: 'the same: the slowest run',
      ours: milliseconds(longest),
      limit,
      ratio: null,
      goal: '< 10 s for 10^6',
      met: longest < 10_000,
    },
    {
      what: 'the same: memory of the process that folds',
      ours: `${megabytes} MB`,
      limit,
      ratio: null,
      goal: '< 300 MB for 10^6',
      met: megabytes < 300,
    },
  ];
}

export const reports: Figure = {
  name: 'reports',
  async measure(bench) {
    return [
      ...(await revenueRows(bench)),
      ...(await everyReportRows(bench, AS_OF)),
      ...(await pairReportRows(bench, AS_OF)),
    ];
  },
};
