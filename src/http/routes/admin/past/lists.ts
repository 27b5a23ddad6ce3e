/** Lists as they were at a past moment. */
import { allJobsThen, userJobsThen } from '../../../../history/past/jobLists.ts';
import { openPast } from '../../../../history/past/past.ts';
import { accountsDeletedSince, usersThen } from '../../../../history/past/userLists.ts';
import { promptsThen, sequencesThen } from '../../../../history/past/writtenLists.ts';
import { beginningOfEmail } from '../../../../model/emailAddress.ts';
import { listAccountsById } from '../../../../projections/accounts.ts';
import { siteOf } from '../../../../projections/jobIndex.ts';
import { recordView } from '../../../auth/administering.ts';
import { PastQuery } from '../../../contract/admin/past.ts';
import {
  PastJobsQuery,
  PastJobsResponse,
  PastPromptsResponse,
  PastSequencesQuery,
  PastSequencesResponse,
  PastUserJobsQuery,
  PastUserJobsResponse,
  PastUsersQuery,
  PastUsersResponse,
} from '../../../contract/admin/pastLists.ts';
import { presentSequence } from '../../../present/admin/emailSequences.ts';
import { presentAdminJob } from '../../../present/admin/job.ts';
import { presentMoment } from '../../../present/admin/past.ts';
import { presentPrompt } from '../../../present/admin/prompt.ts';
import { presentAdminUserJob, presentUserThen } from '../../../present/admin/user.ts';
import { presentJob } from '../../../present/job.ts';
import { route } from '../../../routing/route.ts';
import { UserParams } from '../users.ts';
import { checked, fromCursor, POSITION, REVISION } from './cursors.ts';
import { momentAt } from './moments.ts';
import { recordBillView } from './things.ts';

const PAGE = 50;
/** Each row is folded from several streams. */
const FEW = 20;

export const getPastJobs = route({
  method: 'GET',
  path: '/admin/history/past/jobs',
  access: 'admin',
  readsLong: true,
  summary:
    'List all users’ jobs as they were at a given point in time, with their owners’ emails of then, newest first, without those deleted since',
  query: PastJobsQuery,
  response: PastJobsResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const { at, limit = PAGE, cursor, status = 'all', search = '' } = query;
    const moment = await momentAt(deps, at, signal);
    const requested = {
      limit,
      cursor: checked(cursor, POSITION),
      group: status === 'all' ? undefined : status,
      site: siteOf(search) || undefined,
    };
    const then = await fromCursor(() => allJobsThen({ store: deps.store, moment, signal }, requested));
    const past = openPast({ store: deps.store, position: moment.position, signal });
    const owners = await listAccountsById(past, [...new Set(then.rows.map(({ data }) => data.userId))]);
    const ownerOf = new Map(owners.map(({ id, data }) => [id, data]));
    const data = then.rows.map((job) => presentAdminJob(job, ownerOf.get(job.data.userId) ?? null, moment.time));
    return { success: true as const, moment: presentMoment(moment), data, erased: then.erased, cursor: then.cursor };
  },
});

export const getPastUserJobs = route({
  method: 'GET',
  path: '/admin/history/past/users/{userId}/jobs',
  access: 'admin',
  readsLong: true,
  summary: 'List a user’s jobs as they were at a given point in time, newest first, without those deleted since',
  params: UserParams,
  query: PastUserJobsQuery,
  response: PastUserJobsResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'INVALID_CURSOR', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params, query, signal } = request;
    const { limit = FEW, cursor } = query;
    const email = await recordBillView(request, params.userId);
    await recordView(request, { ownerId: params.userId, thing: 'account', thingId: params.userId });
    const moment = await momentAt(deps, query.at, signal);
    const then = await userJobsThen({ store: deps.store, moment, signal }, params.userId, {
      limit,
      cursor: checked(cursor, REVISION),
    });
    const data = then.rows.map((job) => presentAdminUserJob(presentJob(job, moment.time)));
    return {
      success: true as const,
      moment: presentMoment(moment),
      email,
      data,
      erased: then.erased,
      cursor: then.cursor,
    };
  },
});

export const getPastUsers = route({
  method: 'GET',
  path: '/admin/history/past/users',
  access: 'admin',
  readsLong: true,
  summary:
    'List all users as they were at a given point in time, newest first, with plan, jobs and action items, without accounts deleted since',
  query: PastUsersQuery,
  response: PastUsersResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const { at, limit = FEW, cursor, search = '' } = query;
    const moment = await momentAt(deps, at, signal);
    const requested = { limit, cursor: checked(cursor, POSITION), email: beginningOfEmail(search) };
    const then = await fromCursor(() => usersThen({ store: deps.store, moment, signal }, requested));
    const erased = cursor === undefined ? await accountsDeletedSince(deps.store, moment, signal) : 0;
    const data = then.rows.map((user) => presentUserThen(user, moment.time, deps.config));
    return { success: true as const, moment: presentMoment(moment), data, erased, cursor: then.cursor };
  },
});

export const getPastPrompts = route({
  method: 'GET',
  path: '/admin/history/past/prompts',
  access: 'admin',
  readsLong: true,
  summary:
    'List the prompts for the language model as they were at a given point in time; unchanged ones have the text of this version of the program',
  query: PastQuery,
  response: PastPromptsResponse,
  refusals: ['NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const moment = await momentAt(deps, query.at, signal);
    const then = await promptsThen(openPast({ store: deps.store, position: moment.position, signal }));
    return {
      success: true as const,
      moment: presentMoment(moment),
      data: then.map(({ key, newest }) => presentPrompt(key, newest)),
    };
  },
});

export const getPastSequences = route({
  method: 'GET',
  path: '/admin/history/past/sequences',
  access: 'admin',
  readsLong: true,
  summary:
    'List the email sequences as they were at a given point in time, newest first, with their templates, including those deleted since',
  query: PastSequencesQuery,
  response: PastSequencesResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const { at, limit = PAGE, cursor } = query;
    const moment = await momentAt(deps, at, signal);
    const requested = { limit, cursor: checked(cursor, POSITION) };
    const then = await fromCursor(() => sequencesThen({ store: deps.store, moment, signal }, requested));
    const data = then.rows.map(({ sequence, templates }) => presentSequence(sequence, templates));
    return { success: true as const, moment: presentMoment(moment), data, cursor: then.cursor };
  },
});
