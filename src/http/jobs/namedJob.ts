/** Resolves the audit a query refers to: by id, by site (and time), or the newest with action items. */
import { getJob, listJobs, listSiteJobs } from '../../projections/jobs.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { OwnJob } from '../routing/route.ts';

export type JobName = {
  readonly jobId?: string | undefined;
  readonly domain?: string | undefined;
  readonly timestamp?: string | undefined;
};

/**
 * How many jobs to search for the newest with action items. The first search is short, as it is usually among the last
 * few.
 */
const LOOK_BACK = 500;
const FIRST_LOOK = 20;
/** How many of a site's jobs submitted before that time to search; the match is among the first. */
const OF_A_SITE = 200;

/** Null if nothing matches. Ids are looked up across all users: the caller checks ownership. */
export async function findNamedJob(readModels: ReadModels, userId: string, name: JobName): Promise<OwnJob | null> {
  if (name.jobId !== undefined) return getJob(readModels, name.jobId);
  if (name.domain !== undefined) return ofSite(readModels, userId, bareHost(name.domain), name.timestamp);
  const fits = ({ data }: OwnJob): boolean => data.actionCount > 0;
  const newest = await listJobs(readModels, userId, { finished: true, limit: FIRST_LOOK });
  const found = newest.documents.find(fits);
  if (found || newest.cursor === null) return found ?? null;
  const older = await listJobs(readModels, userId, {
    finished: true,
    limit: LOOK_BACK - FIRST_LOOK,
    cursor: newest.cursor,
  });
  return older.documents.find(fits) ?? null;
}

async function ofSite(
  readModels: ReadModels,
  userId: string,
  host: string,
  timestamp: string | undefined,
): Promise<OwnJob | null> {
  const hosts = [host, `www.${host}`];
  if (timestamp === undefined)
    return (await listSiteJobs(readModels, userId, { hosts, upTo: null, limit: 1 })).documents[0] ?? null;
  const { documents } = await listSiteJobs(readModels, userId, { hosts, upTo: timeOf(timestamp), limit: OF_A_SITE });
  return documents.find(({ data }) => data.folderPath === `${data.host}/${timestamp}`) ?? null;
}

/** When the report in this folder name was ready (UTC ISO); null if it is not a folder name. */
function timeOf(timestamp: string): string | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z$/.exec(timestamp);
  return parts && `${parts[1]}:${parts[2]}:${parts[3]}.${parts[4] ?? '999'}Z`;
}

const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, '');
