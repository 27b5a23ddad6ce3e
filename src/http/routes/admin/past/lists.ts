/** Past job lists, and changes between two moments. */
import { EventStoreError } from '../../../../eventStore/eventStore.ts';
import { countAll, countOf } from '../../../../history/past/changes.ts';
import { allJobsThen, type JobsThenQuery, userJobsThen } from '../../../../history/past/jobLists.ts';
import type { Moment } from '../../../../history/past/moment.ts';
import { openPast } from '../../../../history/past/past.ts';
import { type AccountDocument, accounts, listAccountsById } from '../../../../projections/accounts.ts';
import { getBilling } from '../../../../projections/billing.ts';
import { lookAt } from '../../../auth/administering.ts';
import {
  ChangesQuery,
  ChangesResponse,
  PastJobsQuery,
  PastJobsResponse,
  PastUserJobsQuery,
  PastUserJobsResponse,
  UserChangesQuery,
  UserChangesResponse,
} from '../../../contract/admin/past.ts';
import type { HttpDeps } from '../../../deps.ts';
import { HttpError } from '../../../errors.ts';
import { presentAdminJob } from '../../../present/admin/job.ts';
import { differencesOf, factsOfAccount, factsOfBill, presentCounted, presentMoment } from '../../../present/admin/past.ts';
import { presentAdminUserJob } from '../../../present/admin/user.ts';
import { presentJob } from '../../../present/job.ts';
import { route } from '../../../route.ts';
import { UserParams } from '../users.ts';
import { beginningOrMomentAt, momentAt } from './moments.ts';
import { lookedAtBill } from './things.ts';

const PAGE = 50;
const OF_USER = 20;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const getPastJobs = route({
  method: 'GET',
  path: '/admin/history/past/jobs',
  access: 'admin',
  summary: 'List all users’ jobs as they were at a given moment, newest first, without those deleted since; owners have today’s emails',
  query: PastJobsQuery,
  response: PastJobsResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const { at, limit = PAGE, cursor, status = 'all' } = query;
    const moment = await momentAt(deps, at, signal);
    const group = status === 'all' ? undefined : status;
    const position = checked(cursor, /^\d{20}$/);
    const then = await fromCursor(() => allJobsThen({ store: deps.store, moment, signal }, { limit, cursor: position, group }));
    const owners = await listAccountsById(deps.readModels, [...new Set(then.jobs.map(({ data }) => data.userId))]);
    const ownerOf = new Map(owners.map(({ id, data }) => [id, data]));
    const data = then.jobs.map((job) => presentAdminJob(job, ownerOf.get(job.data.userId) ?? null, moment.time));
    return { success: true as const, moment: presentMoment(moment), data, erased: then.erased, cursor: then.cursor };
  },
});

export const getPastUserJobs = route({
  method: 'GET',
  path: '/admin/history/past/users/{userId}/jobs',
  access: 'admin',
  summary: 'List a user’s jobs as they were at a given moment, newest first, without those deleted since',
  params: UserParams,
  query: PastUserJobsQuery,
  response: PastUserJobsResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'INVALID_CURSOR', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params, query, signal } = request;
    const { limit = OF_USER, cursor } = query;
    const email = await lookedAtBill(request, params.userId);
    await lookAt(request, { ownerId: params.userId, thing: 'account', thingId: params.userId });
    const moment = await momentAt(deps, query.at, signal);
    const then = await userJobsThen({ store: deps.store, moment, signal }, params.userId, { limit, cursor: checked(cursor, /^\d{1,15}$/) });
    const data = then.jobs.map((job) => presentAdminUserJob(presentJob(job, moment.time)));
    return { success: true as const, moment: presentMoment(moment), email, data, erased: then.erased, cursor: then.cursor };
  },
});

/** @throws HttpError INVALID_CURSOR */
function checked(cursor: string | undefined, shape: RegExp): JobsThenQuery['cursor'] {
  if (cursor !== undefined && !shape.test(cursor)) throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return cursor;
}

/** For reads that continue from a given position, which may not be valid. @throws HttpError INVALID_CURSOR */
async function fromCursor<Found>(find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'INVALID_POSITION') throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
    throw error;
  }
}

export const getChanges = route({
  method: 'GET',
  path: '/admin/history/past/changes',
  access: 'admin',
  summary: 'Count what happened in the whole installation between two moments: events by type, and money in and out; one part per request',
  query: ChangesQuery,
  response: ChangesResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const between = await momentsOf(deps, query, signal);
    const { next, reached, ...counted } = await fromCursor(() => countAll(deps.store, between, query.after ?? null, signal));
    return { success: true as const, ...presentBetween(between), ...presentCounted(counted), next, reached };
  },
});

export const getUserChanges = route({
  method: 'GET',
  path: '/admin/history/past/changes/{userId}',
  access: 'admin',
  summary: 'Get what happened to a user, or only to their bill, between two moments, and what changed. The view is recorded',
  params: UserParams,
  query: UserChangesQuery,
  response: UserChangesResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params, query, signal } = request;
    const { userId } = params;
    const { of = 'user' } = query;
    const email = await lookedAtBill(request, userId);
    if (of === 'user') await lookAt(request, { ownerId: userId, thing: 'account', thingId: userId });
    const between = await momentsOf(deps, query, signal);
    const [counted, before, after] = await Promise.all([
      countOf(deps.store, { userId, of }, between, signal),
      factsOf(deps, userId, of, between.from, signal),
      factsOf(deps, userId, of, between.to, signal),
    ]);
    return {
      success: true as const,
      ...presentBetween(between),
      ...presentCounted(counted),
      jobs: counted.jobs,
      email,
      differences: differencesOf(before, after),
    };
  },
});

type Between = { readonly from: Moment; readonly to: Moment };
type Asked = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Sorted by time, however they were requested. */
async function momentsOf(deps: HttpDeps, { from, to }: Asked, signal: AbortSignal): Promise<Between> {
  const last = await momentAt(deps, to, signal);
  const first = await beginningOrMomentAt(deps, from ?? new Date(Date.parse(last.time) - DAY_MS).toISOString(), signal);
  return first.position <= last.position ? { from: first, to: last } : { from: last, to: first };
}

const presentBetween = ({ from, to }: Between) => ({ from: presentMoment(from), to: presentMoment(to) });

async function factsOf(deps: HttpDeps, userId: string, of: 'user' | 'bill', { position, time }: Moment, signal: AbortSignal) {
  const past = openPast({ store: deps.store, position, signal });
  const [account, bill] = [of === 'user' ? await past.get<AccountDocument>(accounts.name, userId) : null, await getBilling(past, userId)];
  return { ...factsOfAccount(account?.data ?? null), ...factsOfBill(bill, time, deps.config) };
}
