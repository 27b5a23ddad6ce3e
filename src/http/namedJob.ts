/** The analysis that a query means: by id, by site (and time), or the newest one with action items. */
import { getJob, listJobs } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { OwnJob } from './route.ts';

export type JobName = { readonly jobId?: string | undefined; readonly domain?: string | undefined; readonly timestamp?: string | undefined };

/** How far back an analysis is looked for by its site; older ones are reached by id. The first look is short: mostly the newest is meant. */
const LOOK_BACK = 500;
const FIRST_LOOK = 20;

/** Null when nothing fits. Ids are looked up among everybody's: the caller checks whose it is. */
export async function findNamedJob(readModels: ReadModels, userId: string, name: JobName): Promise<OwnJob | null> {
  if (name.jobId !== undefined) return getJob(readModels, name.jobId);
  const fits = ({ data }: OwnJob): boolean => {
    if (name.domain === undefined) return data.actionCount > 0;
    if (bareHost(data.host) !== bareHost(name.domain)) return false;
    return name.timestamp === undefined || data.folderPath === `${data.host}/${name.timestamp}`;
  };
  const newest = await listJobs(readModels, userId, { finished: true, limit: FIRST_LOOK });
  const found = newest.documents.find(fits);
  if (found || newest.cursor === null) return found ?? null;
  const older = await listJobs(readModels, userId, { finished: true, limit: LOOK_BACK - FIRST_LOOK, cursor: newest.cursor });
  return older.documents.find(fits) ?? null;
}

const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, '');
