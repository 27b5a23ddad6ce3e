/** One user, viewed by an admin: each view of the account and the bill is recorded. */
import * as z from 'zod';
import { SHARES_LISTED } from '../../../model/adminLists.ts';
import type { AccountDocument } from '../../../projections/accounts.ts';
import { getBilling, listBillingHistory } from '../../../projections/billing.ts';
import { listJobs } from '../../../projections/jobs.ts';
import { listUserMails } from '../../../projections/mails/userMails.ts';
import { listSessions } from '../../../projections/sessions.ts';
import { listShares } from '../../../projections/shares.ts';
import { accountOf } from '../../auth/accountOf.ts';
import { recordView } from '../../auth/administering.ts';
import {
  AdminUserHistoryResponse,
  AdminUserJobsResponse,
  AdminUserMailsResponse,
  AdminUserPage,
  AdminUserResponse,
} from '../../contract/admin/users.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { presentTransactions } from '../../money/transactions.ts';
import { presentSessionView } from '../../present/account.ts';
import { presentAdminAccount, presentAdminShares, presentAdminUserJob } from '../../present/admin/user.ts';
import { presentSubscription } from '../../present/billing.ts';
import { presentJob } from '../../present/job.ts';
import { HttpError } from '../../request/errors.ts';
import { route } from '../../routing/route.ts';

export const UserParams = z.object({ userId: z.string().min(1).max(64) });

/** @throws HttpError ACCOUNT_NOT_FOUND */
export async function namedAccount(
  deps: Pick<HttpDeps, 'readModels' | 'store'>,
  userId: string,
): Promise<AccountDocument> {
  const account = await accountOf(deps, userId);
  if (!account) throw new HttpError('ACCOUNT_NOT_FOUND', 'Account not found');
  return account;
}

const PAGE = 20;

export const getUser = route({
  method: 'GET',
  path: '/admin/users/{userId}',
  access: 'admin',
  summary: 'Get one user: account, plan and balance, open sessions, shared links',
  params: UserParams,
  response: AdminUserResponse,
  refusals: ['ACCOUNT_NOT_FOUND'],
  handler: async (request) => {
    const { deps, caller, params } = request;
    const { readModels, now, config } = deps;
    const { userId } = params;
    const account = await namedAccount(deps, userId);
    await recordView(request, { ownerId: userId, thing: 'account', thingId: userId });
    await recordView(request, { ownerId: userId, thing: 'bill', thingId: userId });
    const [bill, sessions, shares] = await Promise.all([
      getBilling(readModels, userId),
      listSessions(readModels, userId),
      listShares(readModels, userId),
    ]);
    return {
      success: true as const,
      data: {
        account: presentAdminAccount(account, config.mail),
        billing: presentSubscription(bill, now(), config),
        sessions: sessions
          .filter(({ refreshExpiresAt }) => refreshExpiresAt > now())
          .map((session) => presentSessionView(session, caller.sessionId)),
        shares: presentAdminShares(shares, SHARES_LISTED),
      },
    };
  },
});

export const getUserHistory = route({
  method: 'GET',
  path: '/admin/users/{userId}/history',
  access: 'admin',
  summary: 'List every change to a user’s bill, newest first',
  params: UserParams,
  query: AdminUserPage,
  response: AdminUserHistoryResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => {
    const { deps, params, query } = request;
    const { userId } = params;
    await namedAccount(deps, userId);
    await recordView(request, { ownerId: userId, thing: 'bill', thingId: userId });
    const page = await listBillingHistory(deps.readModels, userId, {
      limit: query.limit ?? PAGE,
      cursor: query.cursor,
    });
    return {
      success: true as const,
      data: await presentTransactions(
        deps.store,
        userId,
        page.documents.map(({ data }) => data),
      ),
      cursor: page.cursor,
    };
  },
});

export const getUserJobs = route({
  method: 'GET',
  path: '/admin/users/{userId}/jobs',
  access: 'admin',
  summary: 'List a user’s jobs, newest first',
  params: UserParams,
  query: AdminUserPage,
  response: AdminUserJobsResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => {
    const { deps, params, query } = request;
    const { userId } = params;
    await namedAccount(deps, userId);
    await recordView(request, { ownerId: userId, thing: 'account', thingId: userId });
    const page = await listJobs(deps.readModels, userId, {
      limit: query.limit ?? PAGE,
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    });
    return {
      success: true as const,
      data: page.documents.map((job) => presentAdminUserJob(presentJob(job, deps.now()))),
      cursor: page.cursor,
    };
  },
});

export const getUserMails = route({
  method: 'GET',
  path: '/admin/users/{userId}/mails',
  access: 'admin',
  summary: 'List the emails to a user, newest first: kind, time and outcome',
  params: UserParams,
  query: AdminUserPage,
  response: AdminUserMailsResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => {
    const { deps, params, query } = request;
    const { userId } = params;
    await namedAccount(deps, userId);
    await recordView(request, { ownerId: userId, thing: 'account', thingId: userId });
    const page = await listUserMails(deps.readModels, userId, { limit: query.limit ?? PAGE, cursor: query.cursor });
    if (!page) throw new HttpError('INVALID_CURSOR', 'This list does not go on from there. Please load it again.');
    return {
      success: true as const,
      data: page.mails,
      cursor: page.cursor,
    };
  },
});
