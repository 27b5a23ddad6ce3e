/** What an admin does for a user. All resulting events name the admin and the user. */
import * as z from 'zod';
import { setSignIn } from '../../../commands/account/setSignIn.ts';
import { grantCredits } from '../../../commands/billing/grantCredits.ts';
import { resumePlan } from '../../../commands/billing/resumePlan.ts';
import { endSession } from '../../../commands/session/endSession.ts';
import { requestSessionsEnd } from '../../../commands/session/endSessions.ts';
import { normaliseEmail } from '../../../model/emailAddress.ts';
import { getAccount, isLastAdmin } from '../../../projections/accounts.ts';
import { listSessions } from '../../../projections/sessions.ts';
import { removeAccount } from '../../account/accountRemoval.ts';
import { onBehalfOf } from '../../auth/administering.ts';
import { endOrderedSessions } from '../../auth/sessionsEnd.ts';
import {
  AdminDoneResponse,
  DeleteUserRequest,
  GrantCreditsRequest,
  GrantCreditsResponse,
  ResumePlanRequest,
  SignInRequest,
} from '../../contract/admin/users.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { billShown } from '../../money/billShown.ts';
import { HttpError } from '../../request/errors.ts';
import { afterWrite } from '../../routing/afterWrite.ts';
import { route } from '../../routing/route.ts';
import { namedAccount, UserParams } from './users.ts';

const done = (message: string) => ({ success: true as const, message });

/**
 * The account to act on. Rejects the admin's own account, which has its own pages, and the last admin.
 * @throws HttpError CONFLICT
 */
async function anothers(deps: HttpDeps, callerId: string, userId: string) {
  const account = await namedAccount(deps, userId);
  if (userId === callerId) throw new HttpError('CONFLICT', 'This is your own account. Another admin has to do that.');
  if (await isLastAdmin(deps.readModels, account))
    throw new HttpError('CONFLICT', 'This is the last admin. Nobody else could administer this installation.');
  return account;
}

export const grantUserCredits = route({
  method: 'POST',
  path: '/admin/users/{userId}/credits',
  access: 'admin',
  summary: 'Grant free credits for full audits; with an Idempotency-Key they are granted only once',
  params: UserParams,
  body: GrantCreditsRequest,
  example: { credits: 3, reason: 'A gift' },
  response: GrantCreditsResponse,
  refusals: ['ACCOUNT_NOT_FOUND'],
  handler: async (request) => {
    const { deps, params, body, log, caller } = request;
    const { userId } = params;
    const { credits, position } = await grantCredits(onBehalfOf(request, 'change', { kind: 'bill', ownerId: userId }), {
      userId,
      ...body,
    });
    log().info(
      { event: 'credits_granted', userId, adminId: caller.userId, credits: body.credits },
      'credits were granted by an admin',
    );
    return afterWrite(deps, { position, answer: { success: true as const, credits } }, (shown) =>
      billShown(shown, userId),
    );
  },
});

export const resumeUserPlan = route({
  method: 'POST',
  path: '/admin/users/{userId}/plan/resume',
  access: 'admin',
  summary: 'Give a plan on hold its rights back; the user sees the reason',
  params: UserParams,
  body: ResumePlanRequest,
  example: { reason: 'The payment was settled by bank transfer' },
  response: AdminDoneResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'NOT_SUSPENDED'],
  handler: async (request) => {
    const { deps, params, body, log, caller } = request;
    const { userId } = params;
    await namedAccount(deps, userId);
    const ctx = onBehalfOf(request, 'change', { kind: 'bill', ownerId: userId });
    const { position } = await resumePlan(ctx, { userId, ...body });
    log().info({ event: 'plan_resumed', userId, adminId: caller.userId }, 'a plan on hold was resumed by an admin');
    return afterWrite(deps, { position, answer: done('The plan is no longer on hold') }, (shown) =>
      billShown(shown, userId),
    );
  },
});

export const setUserSignIn = route({
  method: 'PUT',
  path: '/admin/users/{userId}/sign-in',
  access: 'admin',
  summary:
    'Enable or disable logging in. Disabling ends all sessions and makes password, refresh tokens and API keys stop working',
  params: UserParams,
  body: SignInRequest,
  example: { enabled: false },
  response: AdminDoneResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'CONFLICT'],
  handler: async (request) => {
    const { deps, params, body, caller, noteSecurity } = request;
    const { userId } = params;
    if (!body.enabled) await anothers(deps, caller.userId, userId);
    const ctx = onBehalfOf(request, 'change', { kind: 'account', ownerId: userId });
    const { position } = await setSignIn(ctx, { userId, enabled: body.enabled });
    if (!body.enabled) await endOrderedSessions(deps, ctx, userId);
    noteSecurity(body.enabled ? 'account_enabled' : 'account_disabled', { userId, adminId: caller.userId });
    const answer = done(body.enabled ? 'Log-in is enabled' : 'Log-in is disabled');
    return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
  },
});

export const endUserSession = route({
  method: 'DELETE',
  path: '/admin/users/{userId}/sessions/{sessionId}',
  access: 'admin',
  summary: 'End one session of a user; its tokens stop working at once',
  params: UserParams.extend({ sessionId: z.string().min(1).max(64) }),
  response: AdminDoneResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'SESSION_NOT_FOUND'],
  handler: async (request) => {
    const { userId, sessionId } = request.params;
    await namedAccount(request.deps, userId);
    const { position } = await endSession(onBehalfOf(request, 'remove', { kind: 'session', ownerId: userId }), {
      sessionId,
      userId,
      reason: 'revoked',
    });
    request.noteSecurity('sessions_ended', { userId, adminId: request.caller.userId });
    return afterWrite(request.deps, { position, answer: done('Session ended') }, (shown) =>
      listSessions(shown, userId),
    );
  },
});

export const endUserSessions = route({
  method: 'DELETE',
  path: '/admin/users/{userId}/sessions',
  access: 'admin',
  summary: 'End all sessions of a user',
  params: UserParams,
  response: AdminDoneResponse,
  refusals: ['ACCOUNT_NOT_FOUND'],
  handler: async (request) => {
    const { userId } = request.params;
    const ctx = onBehalfOf(request, 'remove', { kind: 'session', ownerId: userId });
    await requestSessionsEnd(ctx, { userId, keptSessionId: null });
    await endOrderedSessions(request.deps, ctx, userId);
    request.noteSecurity('sessions_ended', { userId, adminId: request.caller.userId });
    return done('All sessions ended');
  },
});

export const deleteUser = route({
  method: 'DELETE',
  path: '/admin/users/{userId}',
  access: 'admin',
  summary: 'Delete a user’s account and everything in it, for good',
  params: UserParams,
  body: DeleteUserRequest,
  example: { email: 'ada@example.com' },
  response: AdminDoneResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'CONFLICT'],
  handler: async (request) => {
    const { deps, params, body, log, caller } = request;
    const { userId } = params;
    const account = await anothers(deps, caller.userId, userId);
    if (normaliseEmail(body.email) !== account.email)
      throw new HttpError('CONFLICT', 'That is not the email address of this account.');
    await removeAccount(deps, onBehalfOf(request, 'remove', { kind: 'account', ownerId: userId }), userId, log());
    request.noteSecurity('account_deleted', { userId, adminId: caller.userId });
    return done('The account and everything in it has been deleted.');
  },
});
