/**
 * Folds reports in a process of its own, so that its memory is not that of whoever wrote the log: `reports.ts` and
 * `everyReport.ts` ask for it.
 */
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { shownEvents } from '../../src/eventStore/shownEvents.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { currentReads } from '../../src/eventStore/storedEvents.ts';
import { reportNamed } from '../../src/reports/all.ts';
import { foldSideBySide, resultOf, unfolded } from '../../src/reports/run.ts';
import { timed } from '../measure.ts';

/** `log`: a file, or the address of a server. `reports`: by name, in one reading. `asOf`: UTC ISO. */
export type ReportRequest = { readonly log: string; readonly reports: readonly string[]; readonly asOf: string };
/** `events`: of all reports together. `peak`: resident bytes of the whole process. */
export type FoldedReport = { readonly events: number; readonly ms: number; readonly peak: number };

/** `reads`: as a report from a terminal reads it. */
async function open(
  log: string,
): Promise<{ readonly store: EventStore; readonly reads: Pick<EventStore, 'head' | 'readAll' | 'scan'> }> {
  const isServer = log.startsWith('esdb');
  const store = isServer ? await openEventStoreDb({ url: log }) : openSqliteEventStore({ file: log });
  return { store, reads: currentReads(isServer ? shownEvents(store) : store) };
}

process.on('message', async ({ log, reports, asOf }: ReportRequest) => {
  const { store, reads } = await open(log);
  const all = reports.flatMap((name) => reportNamed(name) ?? []).map((report) => unfolded(report, null));
  let peak = 0;
  const ms = await timed(async () => {
    const onProgress = () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    await foldSideBySide(all, { store: reads, onProgress });
    for (const folded of all) resultOf(folded, { from: null, to: null, by: 'month' }, asOf);
    onProgress();
  });
  await store.close();
  process.send?.({ events: all.reduce((sum, { events }) => sum + events, 0), ms, peak } satisfies FoldedReport);
});
