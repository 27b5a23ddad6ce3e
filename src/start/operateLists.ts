/** Operator lists for a terminal: users with their progress, and all users' jobs. */
import { z } from 'zod';
import { normaliseEmail } from '../domain/account/account.ts';
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

/** Each row is a list of cells; `more`: there are further rows. */
export type ListAnswer = { readonly rows: readonly (readonly string[])[]; readonly more: boolean };

export function operateLists(readModels: ReadModels, request: ListRequest): Promise<ListAnswer> {
  return request.list === 'users' ? listUsers(readModels, request) : listJobs(readModels, request);
}

const seconds = (iso: string | null): string => iso?.replace(/\.\d+Z$/, 'Z') ?? '-';

async function listUsers(readModels: ReadModels, request: Extract<ListRequest, { readonly list: 'users' }>): Promise<ListAnswer> {
  const search = normaliseEmail(request.search ?? '');
  const order = search === '' ? 'desc' : 'asc';
  const { documents, cursor } = await listUserProgress(readModels, { sort: 'lastActivity', order, search, limit: request.limit });
  const rows = documents.map(({ data }) => [
    ...[data.email, data.domain, String(data.totalActions), String(data.completedActions), `${data.completionPercentage}%`],
    ...[`${data.timeSaved} min`, seconds(data.lastActivity)],
  ]);
  return { rows, more: cursor !== null };
}

async function listJobs(readModels: ReadModels, request: Extract<ListRequest, { readonly list: 'jobs' }>): Promise<ListAnswer> {
  const finished = request.status === undefined ? { in: [true, false] } : request.status === 'finished';
  const found = await readModels.find<JobDocument>('jobs', { where: { finished }, sort: [['createdAt', 'desc']], limit: request.limit });
  const owners = await readModels.getMany<AccountDocument>('accounts', [...new Set(found.documents.map(({ data }) => data.userId))]);
  const emails = new Map(owners.map(({ id, data }) => [id, data.email]));
  const rows = found.documents.map(({ id, data }) => [
    id,
    data.host,
    emails.get(data.userId) ?? '-',
    data.status,
    String(data.score ?? '-'),
    seconds(data.createdAt),
  ]);
  return { rows, more: found.cursor !== null };
}
