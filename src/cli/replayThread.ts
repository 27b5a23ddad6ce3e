/** Entry point of a thread that folds one part of an embedded log. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlitePart } from '../eventStore/sqlite/sqlitePart.ts';
import type { LogPart } from '../eventStore/sqlite/sqliteRead.ts';
import { currentReads } from '../eventStore/storedEvents.ts';
import { foldSideBySide, type RunProgress, type Until, unfolded } from '../reports/run.ts';
import { type FoldedPart, partOf } from '../reports/state/parts.ts';
import { reportOf } from './ownReport.ts';

/** `reports`: as named on the command line. */
export type PartTask = {
  readonly file: string;
  readonly part: LogPart;
  readonly reports: readonly string[];
  readonly until: Until;
};
/** The only message to a thread: stop. */
export type ThreadMessage =
  | { readonly opened: true }
  | { readonly progress: RunProgress }
  | { readonly folded: readonly FoldedPart[] };

const port = parentPort;
if (!port) throw new Error('It runs in a thread.');
const send = (message: ThreadMessage): void => port.postMessage(message);
const stopping = new AbortController();
port.once('message', () => stopping.abort());

const { file, part, reports, until } = workerData as PartTask;
const all = (await Promise.all(reports.map(reportOf))).map((report) => unfolded(report, until));
const log = openSqlitePart(file, part);
try {
  send({ opened: true });
  await foldSideBySide(all, {
    store: currentReads(log),
    signal: stopping.signal,
    onProgress: (progress) => send({ progress }),
  });
  send({ folded: all.map(partOf) });
} catch (error) {
  if (!stopping.signal.aborted) throw error;
} finally {
  log.close();
  port.close();
}
