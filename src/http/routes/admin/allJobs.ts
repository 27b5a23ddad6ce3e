/** The list of all users' jobs. */
import { START } from '../../../eventStore/eventStore.ts';
import { beginningOfEmail } from '../../../model/emailAddress.ts';
import { listAccountsByEmail, listAccountsById } from '../../../projections/accounts.ts';
import { countUnderWay, type AllJobsQuery as Listing, listAllJobs, siteOf } from '../../../projections/jobIndex.ts';
import { type JobDocument, listJobsById } from '../../../projections/jobs.ts';
import type { ReadModels, StoredDocument } from '../../../readModels/readModels.ts';
import { type AdminJobView, AllJobsQuery, AllJobsResponse } from '../../contract/admin/jobs.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { withProgress } from '../../jobs/liveProgress.ts';
import { presentAdminJob } from '../../present/admin/job.ts';
import { route } from '../../routing/route.ts';

const PAGE = 100;
/** Maximum number of accounts searched for an email prefix. */
const MOST_OWNERS = 20;

export const getAllJobs = route({
  method: 'GET',
  path: '/admin/all-jobs',
  access: 'admin',
  summary: 'List all users’ jobs, newest first, with their owners’ emails',
  query: AllJobsQuery,
  response: AllJobsResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, query }) => {
    const { readModels } = deps;
    const position = (await readModels.servedPosition('jobs')) ?? START;
    const { truncated, ...searched } = await searchOf(readModels, query);
    const { of, ...order } = searched;
    const { status = 'all', limit = PAGE, cursor } = query;
    const group = status === 'all' ? undefined : status;
    const nobody = of !== undefined && 'userIds' in of && of.userIds.length === 0;
    const [page, underWay] = await Promise.all([
      nobody
        ? { documents: [], cursor: null }
        : listAllJobs(readModels, { group, ...order, ...(of ? { of } : {}), limit, cursor }),
      countUnderWay(readModels),
    ]);
    const jobs = await listJobsById(
      readModels,
      page.documents.map(({ id }) => id),
    );
    return {
      success: true as const,
      data: await presentAdminJobs(deps, jobs),
      cursor: page.cursor,
      position,
      under_way: underWay,
      sorted: order,
      truncated,
    };
  },
});

type Search = Pick<Listing, 'by' | 'descending'> & {
  readonly of?: NonNullable<Listing['of']>;
  readonly truncated: boolean;
};

/** A search uses an index of its own and so has its own order; only the direction can be chosen. */
async function searchOf(
  readModels: ReadModels,
  { search = '', sort = 'date', order = 'desc' }: AllJobsQuery,
): Promise<Search> {
  const descending = order === 'desc';
  if (search === '') return { by: sort, descending, truncated: false };
  if (!search.includes('@')) return { by: 'website', descending, of: { site: siteOf(search) }, truncated: false };
  const owners = await listAccountsByEmail(readModels, { beginning: beginningOfEmail(search), limit: MOST_OWNERS + 1 });
  const userIds = owners.slice(0, MOST_OWNERS).map(({ id }) => id);
  return { by: 'date', descending, of: { userIds }, truncated: owners.length > MOST_OWNERS };
}

/** Reads the emails of all owners at once. */
async function presentAdminJobs(
  { readModels, liveProgress, now }: Pick<HttpDeps, 'readModels' | 'liveProgress' | 'now'>,
  jobs: readonly StoredDocument<JobDocument>[],
): Promise<AdminJobView[]> {
  const owners = await listAccountsById(readModels, [...new Set(jobs.map(({ data }) => data.userId))]);
  const ownerOf = new Map(owners.map(({ id, data }) => [id, data]));
  const at = now();
  return jobs.map((job) => presentAdminJob(withProgress(job, liveProgress), ownerOf.get(job.data.userId) ?? null, at));
}
