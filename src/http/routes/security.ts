/** The logged-in user's own sessions, password, address and email preferences. */
import * as z from 'zod';
import { changeEmail as changeEmailCommand } from '../../commands/account/changeEmail.ts';
import { changePassword as changePasswordCommand } from '../../commands/account/changePassword.ts';
import {
  confirmEmail as confirmEmailCommand,
  type OpenedConfirmation,
  openEmailConfirmation,
} from '../../commands/account/confirmEmail.ts';
import { requestEmailConfirmation } from '../../commands/account/requestEmailConfirmation.ts';
import { setMailChoice, unsubscribe as unsubscribeCommand } from '../../commands/account/setMailChoice.ts';
import { endSession } from '../../commands/session/endSession.ts';
import { requestSessionsEnd } from '../../commands/session/endSessions.ts';
import { checkCredentials } from '../../commands/session/logIn.ts';
import type { MailChoice } from '../../domain/account/events.ts';
import type { ProofKind } from '../../domain/account/proof.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import { getAccount } from '../../projections/accounts.ts';
import { getSession, listSessions } from '../../projections/sessions.ts';
import { confirmOwner, confirmPassword } from '../auth/confirmPassword.ts';
import { knownBrowserCookies } from '../auth/knownBrowser.ts';
import { callersAccount } from '../auth/openSession.ts';
import { mayAsOwner } from '../auth/policy.ts';
import { authenticate } from '../auth/session.ts';
import { endOrderedSessions } from '../auth/sessionsEnd.ts';
import { refusedLogIn, tryPassword } from '../auth/tryPassword.ts';
import {
  ChangeEmailRequest,
  ChangeEmailResponse,
  ChangePasswordRequest,
  ChangePasswordResponse,
  ConfirmEmailRequest,
  ConfirmEmailResponse,
  EndSessionResponse,
  MailPreferences,
  MailPreferencesResponse,
  ResendConfirmationResponse,
  SessionsResponse,
  UnsubscribeQuery,
  UnsubscribeRequest,
  UnsubscribeResponse,
} from '../contract/security.ts';
import { presentSessionView } from '../present/account.ts';
import { HttpError, passwordRequired } from '../request/errors.ts';
import { addressKey } from '../request/rateLimits.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

export const getSessions = route({
  method: 'GET',
  path: '/auth/sessions',
  access: 'user',
  summary: 'List your open sessions, newest first',
  response: SessionsResponse,
  handler: async ({ deps, caller }) => {
    const open = await listSessions(deps.readModels, caller.userId);
    return {
      success: true as const,
      sessions: open
        .filter(({ refreshExpiresAt }) => refreshExpiresAt > deps.now())
        .map((one) => presentSessionView(one, caller.sessionId)),
    };
  },
});

export const deleteSession = route({
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  access: 'user',
  summary: 'End one of your sessions; its tokens stop working at once',
  params: z.object({ sessionId: z.string().min(1).max(64) }),
  response: EndSessionResponse,
  refusals: ['SESSION_NOT_FOUND'],
  handler: async ({ deps, caller, command, params, noteSecurity }) => {
    const known = await getSession(deps.readModels, params.sessionId);
    if (known && !mayAsOwner(caller, 'remove', { kind: 'session', ownerId: known.data.userId })) {
      throw new HttpError('SESSION_NOT_FOUND', 'There is no such session.', { details: { anothers: true } });
    }
    const { position } = await endSession(command, {
      sessionId: params.sessionId,
      userId: caller.userId,
      reason: 'revoked',
    });
    noteSecurity('session_ended', { userId: caller.userId });
    const answer = { success: true as const, message: 'Session ended' };
    return afterWrite(deps, { position, answer }, (shown) => getSession(shown, params.sessionId));
  },
});

export const logoutEverywhere = route({
  method: 'POST',
  path: '/auth/logout-everywhere',
  access: 'user',
  summary: 'End all of your sessions, including this one',
  response: EndSessionResponse,
  handler: async ({ deps, caller, command, noteSecurity }) => {
    await requestSessionsEnd(command, { userId: caller.userId, keptSessionId: null });
    await endOrderedSessions(deps, command, caller.userId);
    noteSecurity('logout_everywhere', { userId: caller.userId });
    return { success: true as const, message: 'Logged out everywhere' };
  },
});

export const changePassword = route({
  method: 'POST',
  path: '/auth/change-password',
  access: 'user',
  secret: true,
  summary: 'Change your password; all other sessions end',
  body: ChangePasswordRequest,
  example: { current_password: 'a good password', password: 'another good password' },
  response: ChangePasswordResponse,
  refusals: ['WRONG_PASSWORD', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, body, caller, command, address, noteSecurity } = request;
    const { passwordHash: formerHash } = await confirmPassword(request, body.current_password);
    const passwordHash = await deps.passwords.hash(body.password, addressKey(address));
    await changePasswordCommand(command, {
      userId: caller.userId,
      passwordHash,
      formerHash,
      keptSessionId: caller.sessionId,
    });
    await endOrderedSessions(deps, command, caller.userId);
    noteSecurity('password_changed', { userId: caller.userId });
    return { success: true as const, message: 'Your password was changed. Other sessions were logged out.' };
  },
});

export const changeEmail = route({
  method: 'POST',
  path: '/auth/change-email',
  access: 'user',
  secret: true,
  summary: 'Change your email address: a link goes to the new one, and once it is opened, a notice to the old one',
  body: ChangeEmailRequest,
  example: { email: 'new@example.com', password: 'a good password' },
  response: ChangeEmailResponse,
  limit: 'signup',
  refusals: [
    'WRONG_PASSWORD',
    'RECENT_LOGIN_REQUIRED',
    'EMAIL_TAKEN',
    'EMAIL_CHANGE_SUPERSEDED',
    'TOO_MANY_CONFIRMATIONS',
    'RATE_LIMITED',
    'BUSY',
  ],
  handler: async (request) => {
    const { deps, body, caller, command, noteSecurity } = request;
    const { userId } = caller;
    await confirmOwner(request, body.password);
    const email = normaliseEmail(body.email);
    if (deps.config.mail) {
      const { sentTo, position } = await requestEmailConfirmation(command, { userId, email });
      const answer = { success: true as const, email, pending: sentTo !== null };
      return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
    }
    const { position } = await changeEmailCommand(command, { userId, email });
    noteSecurity('email_changed', { userId });
    return afterWrite(deps, { position, answer: { success: true as const, email, pending: false } }, (shown) =>
      getAccount(shown, userId),
    );
  },
});

export const confirmEmail = route({
  method: 'POST',
  path: '/auth/confirm-email',
  access: 'public',
  summary:
    'Confirm an email address with the token of the link sent to it, with a session of that account or with its password. Works once',
  body: ConfirmEmailRequest,
  example: { token: 'a token of a mail', password: 'a good password' },
  response: ConfirmEmailResponse,
  limit: 'recovery',
  refusals: [
    'CONFIRMATION_INVALID',
    'PASSWORD_REQUIRED',
    'INVALID_CREDENTIALS',
    'ACCOUNT_DISABLED',
    'EMAIL_TAKEN',
    'EMAIL_CHANGE_SUPERSEDED',
    'RATE_LIMITED',
    'BUSY',
  ],
  handler: async (request) => {
    const { deps, body, command, noteSecurity } = request;
    const by = await shownWithLink(request, await openEmailConfirmation(command, body));
    const { adminEmail } = deps.config;
    const { userId, email, position } = await confirmEmailCommand(command, {
      token: body.token,
      by,
      ...(adminEmail ? { adminEmail } : {}),
    });
    noteSecurity('email_confirmed', { userId, by });
    const confirmed = { success: true as const, message: 'Your email address is confirmed.', email };
    const answer = new Reply(confirmed, knownBrowserCookies(deps, { email, emailProof: 'confirmed' }));
    return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
  },
});

type LinkRequest = Pick<
  RouteRequest<unknown, unknown, z.infer<typeof ConfirmEmailRequest>>,
  'deps' | 'body' | 'command' | 'bearer' | 'limiter' | 'address' | 'cookies'
>;

/**
 * What whoever opened a link has shown about its account. A session of another account shows nothing, and neither does
 * an API key.
 * @throws HttpError PASSWORD_REQUIRED, RATE_LIMITED; DomainError INVALID_CREDENTIALS, ACCOUNT_DISABLED
 */
async function shownWithLink(request: LinkRequest, { account, moves }: OpenedConfirmation): Promise<ProofKind> {
  const { deps, body, command, bearer } = request;
  const { userId } = account;
  const caller = await authenticate(deps, bearer);
  if (caller && !caller.apiKey && caller.userId === userId && !account.isDisabled) return 'session';
  const { password } = body;
  if (password === undefined) throw passwordRequired(moves);
  await tryPassword(request, { email: account.email, password }, (verifyPassword) =>
    checkCredentials(command, { userId, password, verifyPassword, refused: refusedLogIn(deps) }),
  );
  return 'password';
}

export const resendConfirmation = route({
  method: 'POST',
  path: '/auth/resend-confirmation',
  access: 'user',
  sessionOnly: true,
  summary: 'Send the link that confirms your address, or the one you are changing to, again',
  response: ResendConfirmationResponse,
  limit: 'reset',
  refusals: ['TOO_MANY_CONFIRMATIONS', 'RATE_LIMITED'],
  handler: async ({ deps, caller, command }) => {
    if (!deps.config.mail) return { success: true as const, sent_to: null };
    const { sentTo, position } = await requestEmailConfirmation(command, { userId: caller.userId, email: null });
    return afterWrite(deps, { position, answer: { success: true as const, sent_to: sentTo } }, (shown) =>
      getAccount(shown, caller.userId),
    );
  },
});

const preferencesAnswer = (unwanted: readonly MailChoice[]): MailPreferencesResponse => ({
  success: true,
  data: {
    job_done: !unwanted.includes('job_done'),
    subscription_ends: !unwanted.includes('subscription_ends'),
    sequence: !unwanted.includes('sequence'),
  },
});

export const getMailPreferences = route({
  method: 'GET',
  path: '/auth/mail-preferences',
  access: 'user',
  summary: 'Get which emails you receive',
  response: MailPreferencesResponse,
  handler: async ({ deps, caller }) => {
    return preferencesAnswer((await callersAccount(deps, caller.userId)).unwanted_mails);
  },
});

export const putMailPreferences = route({
  method: 'PUT',
  path: '/auth/mail-preferences',
  access: 'user',
  summary: 'Choose which emails you receive',
  body: MailPreferences,
  example: { job_done: false },
  response: MailPreferencesResponse,
  limit: 'preferences',
  refusals: ['RATE_LIMITED'],
  handler: async ({ deps, caller, command, body }) => {
    const { userId } = caller;
    let chosen: Awaited<ReturnType<typeof setMailChoice>> | null = null;
    for (const mail of ['job_done', 'subscription_ends', 'sequence'] as const) {
      const wanted = body[mail];
      if (wanted !== undefined) chosen = await setMailChoice(command, { userId, mail, wanted });
    }
    if (!chosen) return preferencesAnswer((await callersAccount(deps, userId)).unwanted_mails);
    return afterWrite(deps, { position: chosen.position, answer: preferencesAnswer(chosen.unwanted) }, (shown) =>
      getAccount(shown, userId),
    );
  },
});

const UNSUBSCRIBED: Readonly<Record<MailChoice, string>> = {
  job_done: 'You’ll get no more emails about finished audits.',
  subscription_ends: 'You’ll get no more emails before a plan ends.',
  sequence: 'You’ll get no more tips and news.',
};

export const unsubscribe = route({
  method: 'POST',
  path: '/mail/unsubscribe',
  access: 'public',
  summary: 'Unsubscribe from the kind of email that this token came with; email programs call this with one click',
  query: UnsubscribeQuery,
  body: UnsubscribeRequest,
  example: { token: 'a token of a mail' },
  response: UnsubscribeResponse,
  limit: 'recovery',
  // RFC 8058: email clients post a form whose content does not matter; the token is in the URL.
  takesForms: true,
  refusals: ['UNSUBSCRIBE_INVALID', 'RATE_LIMITED'],
  handler: async ({ deps, body, query, command }) => {
    const { userId, mail, position } = await unsubscribeCommand(command, { token: query.token ?? body.token ?? '' });
    return afterWrite(deps, { position, answer: { success: true as const, message: UNSUBSCRIBED[mail] } }, (shown) =>
      getAccount(shown, userId),
    );
  },
});
