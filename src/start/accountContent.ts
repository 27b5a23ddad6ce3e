/**
 * What an account's export contains, for the workers that write it into a file. Its modules load when the first export
 * is written.
 */
import type { AccountExportDeps } from '../workers/accountExport.ts';
import type { WorkerParts } from './workerParts.ts';

export function accountContentOf({
  readModels,
  store,
  now,
}: Pick<WorkerParts, 'readModels' | 'store' | 'now'>): AccountExportDeps['contentOf'] {
  return async function* contentOf(userId, onJob) {
    const [{ accountExport }, { storedReports }] = await Promise.all([
      import('../http/account/accountExport.ts'),
      import('./reports/storedReports.ts'),
    ]);
    const total = await readModels.count('jobs', { userId });
    yield* accountExport({ readModels, store, now, reports: storedReports }, userId, (done) => onJob(done, total));
  };
}
