/** Operator lists for a terminal: users with their progress, and all users' jobs. */
import * as z from 'zod';
import { beginningOfEmail } from '../model/emailAddress.ts';
import type { NotJudgedReason } from '../model/scores.ts';
import type { AccountDocument } from '../projections/accounts.ts';
import type { JobDocument } from '../projections/jobs.ts';
import { listUserProgress } from '../projections/userProgress/userProgress.ts';
import type { ReadModels } from '../readModels/readModels.ts';

export const JOB_STATES = ['active', 'finished'] as const;
export const MOST_ROWS = 500;

const limit = z.int().min(1).max(MOST_ROWS);
export const ListRequest = z.discriminatedUnion('list', [
  /** `search`: prefix of the email address. */
  z.strictObject({ list: z.literal('users'), search: z.string().max(254).exactOptional(), limit }),
  z.strictObject({ list: z.literal('jobs'), status: z.enum(JOB_STATES).exactOptional(), limit }),
]);
export type ListRequest = z.infer<typeof ListRequest>;

/** Times are UTC ISO. The field names are those of `--json`, so they stay. */
export type UserRow = {
  readonly email: string;
  readonly domain: string;
  readonly totalActions: number;
  readonly completedActions: number;
  readonly completionPercentage: number;
  readonly timeSavedMinutes: number;
  readonly lastActivity: string | null;
};
export type JobRow = {
  readonly jobId: string;
  readonly host: string;
  /** Null if its owner is gone. */
  readonly email: string | null;
  readonly status: string;
  readonly score: number | null;
  /** Why the site was not judged; null if it was, or is not yet. */
  readonly notJudged: NotJudgedReason | null;
  readonly submittedAt: string;
};

/** `more`: there are further rows. */
type UserList = { readonly list: 'users'; readonly rows: readonly UserRow[]; readonly more: boolean };
type JobList = { readonly list: 'jobs'; readonly rows: readonly JobRow[]; readonly more: boolean };
export type ListAnswer = UserList | JobList;

export function operateLists(readModels: ReadModels, request: ListRequest): Promise<ListAnswer> {
  return request.list === 'users' ? listUsers(readModels, request) : listJobs(readModels, request);
}

async function listUsers(
  readModels: ReadModels,
  request: Extract<ListRequest, { readonly list: 'users' }>,
): Promise<UserList> {
  const search = beginningOfEmail(request.search ?? '');
  const order = search === '' ? 'desc' : 'asc';
  const { documents, cursor } = await listUserProgress(readModels, {
    sort: 'lastActivity',
    order,
    search,
    limit: request.limit,
  });
  const rows = documents.map(
    ({ data: { email, domain, totalActions, completedActions, completionPercentage, timeSaved, lastActivity } }) => {
      return {
        email,
        domain,
        totalActions,
        completedActions,
        completionPercentage,
        timeSavedMinutes: timeSaved,
        lastActivity,
      };
    },
  );
  return { list: 'users', rows, more: cursor !== null };
}

async function listJobs(
  readModels: ReadModels,
  request: Extract<ListRequest, { readonly list: 'jobs' }>,
): Promise<JobList> {
  const finished = request.status === undefined ? { in: [true, false] } : request.status === 'finished';
  const found = await readModels.find<JobDocument>('jobs', {
    where: { finished },
    sort: [['createdAt', 'desc']],
    limit: request.limit,
  });
  const owners = await readModels.getMany<AccountDocument>('accounts', [
    ...new Set(found.documents.map(({ data }) => data.userId)),
  ]);
  const emails = new Map(owners.map(({ id, data }) => [id, data.email]));
  const rows = found.documents.map(({ id, data: { host, userId, status, score, notJudged, createdAt } }) => {
    const judged = { score: score ?? null, notJudged: notJudged ?? null };
    return { jobId: id, host, email: emails.get(userId) ?? null, status, ...judged, submittedAt: createdAt };
  });
  return { list: 'jobs', rows, more: found.cursor !== null };
}
