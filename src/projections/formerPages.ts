/** The pages of a user's former audit of a site, which the next one looks at first. */
import type { ReadModels } from '../readModels/readModels.ts';
import { listRuns } from './jobs.ts';
import { getOverview, getPages } from './reports.ts';

/** Former audits that are looked at for one with a result. */
const FORMER = 20;

/** Addresses that the last judged audit before that time (UTC ISO) asked for; none if there was none. */
export async function formerPages(
  readModels: ReadModels,
  { userId, host, before }: { readonly userId: string; readonly host: string; readonly before: string },
): Promise<readonly string[]> {
  const runs = await listRuns(readModels, userId, { host, before, limit: FORMER });
  const run = runs.find(({ status, notJudged }) => status !== 'failed' && notJudged === null);
  const overview = run && (await getOverview(readModels, run.jobId));
  if (!run || !overview) return [];
  return (await getPages(readModels, { jobId: run.jobId, parts: overview.parts })).map(({ url }) => url);
}
