/** Folds a report in a process of its own, so that its memory is not that of whoever wrote the log: `reports.ts` asks for it. */
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { revenue } from '../../src/reports/revenue.ts';
import { foldOn, resultOf, unfolded } from '../../src/reports/run.ts';
import { timed } from '../measure.ts';

/** `asOf`: UTC ISO. */
export type AskedReport = { readonly file: string; readonly asOf: string };
/** `peak`: resident bytes of the whole process. */
export type FoldedReport = { readonly events: number; readonly ms: number; readonly peak: number };

process.on('message', async ({ file, asOf }: AskedReport) => {
  const log = openSqliteEventStore({ file });
  const folded = unfolded(revenue, null);
  let peak = 0;
  const ms = await timed(async () => {
    const onProgress = () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    await foldOn(folded, { store: withStoredEvents(log), onProgress });
    resultOf(folded, { from: null, to: null, by: 'month' }, asOf);
  });
  await log.close();
  process.send?.({ events: folded.events, ms, peak } satisfies FoldedReport);
});
