/** Account recovery: the email, its link, a new password. Nothing reveals whether an account exists. */
import { setTimeout as wait } from 'node:timers/promises';
import { openEmailConfirmation } from '../../commands/account/confirmEmail.ts';
import { endFormerAccess } from '../../commands/account/endFormerAccess.ts';
import { type OpenedReset, openPasswordReset } from '../../commands/account/openPasswordReset.ts';
import { requestPasswordReset } from '../../commands/account/requestPasswordReset.ts';
import { resetPassword } from '../../commands/account/resetPassword.ts';
import { confirmationInvalid } from '../../domain/account/confirmation.ts';
import { DomainError } from '../../domain/decider.ts';
import { getAccount } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import { accountOf } from '../auth/accountOf.ts';
import { knownBrowserCookies } from '../auth/knownBrowser.ts';
import { authenticate } from '../auth/session.ts';
import { endOrderedSessions } from '../auth/sessionsEnd.ts';
import {
  AuthSessionResponse,
  ChoosePasswordRequest,
  RESET_SENT,
  ResetRequest,
  ResetResponse,
  UpdatePasswordRequest,
  UpdatePasswordResponse,
  VerifyRecoveryRequest,
  VerifyRecoveryResponse,
} from '../contract/recovery.ts';
import { presentUser } from '../present/account.ts';
import { sessionRequired } from '../request/errors.ts';
import { addressKey } from '../request/rateLimits.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

/** Holds the link's access token while the user chooses a new password. */
const COOKIE = 'recovery_session';
/** Minimum response time in ms, to hide that finding an account takes longer than finding none. */
const ANSWER_MS = 250;
/** Where the user continues after the reset. */
const AFTER_RESET = '/login';

export const askReset = route({
  method: 'POST',
  path: '/auth/reset-password',
  access: 'public',
  summary: 'Request an email with a link to reset the password; the response never reveals whether an account exists',
  body: ResetRequest,
  example: { email: 'ada@example.com' },
  response: ResetResponse,
  limit: 'reset',
  refusals: ['RATE_LIMITED'],
  handler: (request) => sendReset(request, request.body.email),
});

export const choosePassword = route({
  method: 'POST',
  path: '/auth/confirm-email/choose-password',
  access: 'public',
  summary:
    'For somebody who has the link that confirms an account’s own address but does not know its password: request the email that sets a new one',
  body: ChoosePasswordRequest,
  example: { token: 'a token of a mail' },
  response: ResetResponse,
  limit: 'reset',
  refusals: ['CONFIRMATION_INVALID', 'RATE_LIMITED'],
  handler: async (request) => {
    const { account, moves } = await openEmailConfirmation(request.command, request.body);
    // Whoever reads the email of another address than the account's own has no claim to the account.
    if (moves) throw confirmationInvalid();
    return sendReset(request, account.email);
  },
});

async function sendReset({ command, noteSecurity }: Pick<RouteRequest, 'command' | 'noteSecurity'>, email: string) {
  await Promise.all([requestPasswordReset(command, { email }), wait(ANSWER_MS)]);
  noteSecurity('reset_requested');
  return { success: true as const, message: RESET_SENT };
}

export const verifyRecovery = route({
  method: 'POST',
  path: '/auth/verify-recovery-token',
  access: 'public',
  summary: 'Check the tokens of a reset link and keep them in a cookie, without using them up',
  body: VerifyRecoveryRequest,
  example: { access_token: 'a token of a link', refresh_token: 'the other token of it' },
  response: VerifyRecoveryResponse,
  limit: 'recovery',
  refusals: ['RESET_INVALID', 'RATE_LIMITED'],
  handler: async ({ deps, body, command }) => {
    const {
      userId: id,
      email,
      expiresAt,
    } = await openPasswordReset(command, { accessToken: body.access_token, refreshToken: body.refresh_token });
    const maxAgeSeconds = (Date.parse(expiresAt) - Date.parse(deps.now())) / 1_000;
    return new Reply({ success: true as const, user: { id, email } }, [
      { name: COOKIE, value: body.access_token, maxAgeSeconds },
    ]);
  },
});

export const getAuthSession = route({
  method: 'GET',
  path: '/auth/session',
  access: 'public',
  summary: 'Get whose recovery token, or verified reset cookie, this is',
  response: AuthSessionResponse,
  refusals: ['SESSION_REQUIRED'],
  handler: async ({ deps, command, bearer, cookies }) => {
    const caller = await authenticate(deps, bearer);
    if (caller?.apiKey) throw sessionRequired();
    if (caller) {
      const account = await accountOf(deps, caller.userId);
      return { success: true as const, user: account && presentUser(account), recovery: false };
    }
    const opened = await openedBy(command, cookies.get(COOKIE) ?? null);
    return {
      success: true as const,
      user: opened && { id: opened.userId, email: opened.email },
      recovery: opened !== null,
    };
  },
});

export const updatePassword = route({
  method: 'POST',
  path: '/auth/update-password',
  access: 'public',
  summary:
    'Set a new password through a reset link, with its access token as bearer or with the cookie. Works once and ends every session',
  body: UpdatePasswordRequest,
  example: { password: 'another good password' },
  response: UpdatePasswordResponse,
  limit: 'recovery',
  refusals: ['RESET_INVALID', 'RATE_LIMITED', 'BUSY'],
  handler: async ({ deps, body, command, bearer, cookies, limiter, address, noteSecurity }) => {
    const accessToken = bearer ?? cookies.get(COOKIE) ?? '';
    // Checked first: hashing is expensive, and must not be triggered without a valid link.
    const { email } = await openPasswordReset(command, { accessToken });
    const passwordHash = await deps.passwords.hash(body.password, addressKey(address));
    const { adminEmail } = deps.config;
    const { userId } = await resetPassword(command, {
      accessToken,
      passwordHash,
      ...(adminEmail ? { adminEmail } : {}),
    });
    await endOrderedSessions(deps, command, userId);
    const { position } = await endFormerAccess(command, { userId });
    await afterWrite(deps, { position, answer: null }, (shown) =>
      Promise.all([getAccount(shown, userId), listApiKeys(shown, userId), listWebhooks(shown, userId)]),
    );
    await limiter.forgiveLogins(email, address);
    noteSecurity('password_reset', { userId });
    const answer = {
      success: true as const,
      message: 'Your password was changed. Please log in with it.',
      data: { redirect: AFTER_RESET },
    };
    // The link has proven it.
    const known = knownBrowserCookies(deps, { email, emailProof: 'confirmed' });
    return new Reply(answer, [{ name: COOKIE, value: '', maxAgeSeconds: 0 }, ...known]);
  },
});

async function openedBy(command: RouteRequest['command'], accessToken: string | null): Promise<OpenedReset | null> {
  if (accessToken === null) return null;
  return openPasswordReset(command, { accessToken }).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
}
