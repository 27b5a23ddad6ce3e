/**
 * Reports over the whole log, for this process's requests: cached in its memory, and stored next to the read models for
 * the next process.
 */
import type { Logger } from 'pino';
import { shownEvents } from '../../eventStore/shownEvents.ts';
import { createKeptReports } from '../../reports/keptReports.ts';
import { createReportRuns, type ReportRuns } from '../../reports/reportRuns.ts';
import { createSavedStates } from '../../reports/state/savedStates.ts';
import type { Config } from '../config.ts';
import type { Stores } from '../openStores.ts';
import { isErasing } from './openErasures.ts';

/** How long to wait for a report, ms: less than a request may take. */
const REPORT_MS = 25_000;

export function openReportRuns(
  { servers }: Pick<Config, 'servers'>,
  { store, snapshots, marks }: Pick<Stores, 'store' | 'snapshots' | 'marks'>,
  log: Logger,
): ReportRuns {
  const kept = createKeptReports({
    // A server still returns erased events until it has been scavenged.
    store: servers ? shownEvents(store) : store,
    now: Date.now,
    isErasing: () => isErasing({ store, marks }),
    saved: createSavedStates({ store, snapshots }),
    onFailure: (error) =>
      log.warn({ err: error }, 'a saved report state could not be read or stored; the log is read instead'),
  });
  return createReportRuns({ kept, mostMs: REPORT_MS });
}
