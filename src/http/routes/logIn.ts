/** Logging in and up by email: a code for the browser that asked, and a link. */
import { setTimeout as wait } from 'node:timers/promises';
import { endFormerAccess } from '../../commands/account/endFormerAccess.ts';
import { signUp } from '../../commands/account/signUp.ts';
import { openLogInLink, requestLogInMail, spendLogInCode, spendLogInLink } from '../../commands/logIn/logInMail.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { DomainError } from '../../domain/decider.ts';
import { codeInvalid } from '../../domain/logIn/logIn.ts';
import { getAccount } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import { knownBrowser } from '../auth/knownBrowser.ts';
import { finishLogIn } from '../auth/openSession.ts';
import { endOrderedSessions } from '../auth/sessionsEnd.ts';
import { refusedLogIn } from '../auth/tryPassword.ts';
import { LoginAnswer } from '../contract/auth.ts';
import {
  LOG_IN_MAIL_SENT,
  LogInCodeRequest,
  LogInLinkRequest,
  LogInLinkResponse,
  LogInMailRequest,
  LogInMailResponse,
} from '../contract/logIn.ts';
import { HttpError } from '../request/errors.ts';
import { addressKey } from '../request/rateLimits.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

/** Recognizes the browser that asked for a code, so that nobody else can enter it. */
const COOKIE = 'log_in_browser';
const COOKIE_SECONDS = 15 * 60;
/** Minimum response time in ms, to hide that finding an account takes longer than finding none. */
const ANSWER_MS = 250;

export const askLogInMail = route({
  method: 'POST',
  path: '/auth/log-in-mail',
  access: 'public',
  summary:
    'Request an email with a code and a link to log in, or to sign up; the response never reveals whether an account exists',
  body: LogInMailRequest,
  example: { email: 'ada@example.com' },
  response: LogInMailResponse,
  limit: 'reset',
  refusals: ['NO_MAIL', 'RATE_LIMITED'],
  handler: async (request) => {
    const { deps, body, command, cookies, limiter, address, noteSecurity } = request;
    if (!deps.config.mail) throw noMail();
    if (body.create) await limiter.count('signup', address);
    const browser = deps.newToken();
    const known = knownBrowser(deps, cookies, body.email) !== null;
    const ask = async (): Promise<void> => {
      if (body.create) await signUpWithoutPassword(request);
      await requestLogInMail(command, { email: body.email, browser, knownBrowser: known });
    };
    await Promise.all([ask(), wait(ANSWER_MS)]);
    noteSecurity('log_in_mail_requested');
    return new Reply({ success: true as const, message: LOG_IN_MAIL_SENT }, [
      { name: COOKIE, value: browser, maxAgeSeconds: COOKIE_SECONDS },
    ]);
  },
});

/** Does nothing if the address has an account: the email then logs in to it. */
async function signUpWithoutPassword({
  deps,
  body: { email, name = '' },
  command,
  noteSecurity,
}: Pick<
  RouteRequest<unknown, unknown, LogInMailRequest>,
  'deps' | 'body' | 'command' | 'noteSecurity'
>): Promise<void> {
  const { adminEmail } = deps.config;
  const account = { email, name, passwordHash: null, asksProof: true, ...(adminEmail ? { adminEmail } : {}) };
  try {
    const { userId } = await signUp(command, account);
    noteSecurity('signup', { userId });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'EMAIL_TAKEN')) throw error;
  }
}

export const enterLogInCode = route({
  method: 'POST',
  path: '/auth/log-in-mail/code',
  access: 'public',
  summary:
    'Log in with the code of an email that this browser requested (by its cookie); with two-factor authentication, the response asks for a code of the app',
  body: LogInCodeRequest,
  example: { email: 'ada@example.com', code: '123456' },
  response: LoginAnswer,
  limit: 'recovery',
  refusals: ['LOG_IN_CODE_INVALID', 'RATE_LIMITED', 'BUSY', 'MFA_UNAVAILABLE', 'ACCOUNT_DISABLED'],
  handler: async (request) => {
    const { deps, body, command, cookies, address } = request;
    const { adminEmail } = deps.config;
    const account = await spendLogInCode(command, {
      email: body.email,
      browser: cookies.get(COOKIE) ?? '',
      code: body.code.replaceAll(/\s/g, ''),
      verifyCode: (hash, code) => deps.passwords.verify(hash, code, addressKey(address)),
      ...(adminEmail ? { adminEmail } : {}),
    }).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === codeInvalid().code) refusedLogIn(deps)(null);
      throw error;
    });
    return logInByMail(request, account);
  },
});

export const getLogInLink = route({
  method: 'POST',
  path: '/auth/log-in-mail/open',
  access: 'public',
  summary: 'Get which account the link of an email logs in to, without using it up',
  body: LogInLinkRequest,
  example: { token: 'a token of a mail' },
  response: LogInLinkResponse,
  limit: 'recovery',
  refusals: ['LOG_IN_LINK_INVALID', 'RATE_LIMITED'],
  handler: async ({ body, command }) => {
    const { email } = await openLogInLink(command, body);
    return { success: true as const, email };
  },
});

export const enterLogInLink = route({
  method: 'POST',
  path: '/auth/log-in-mail/link',
  access: 'public',
  summary: 'Log in with the link of an email, once; with two-factor authentication, the response asks for a code',
  body: LogInLinkRequest,
  example: { token: 'a token of a mail' },
  response: LoginAnswer,
  limit: 'recovery',
  refusals: ['LOG_IN_LINK_INVALID', 'RATE_LIMITED', 'MFA_UNAVAILABLE', 'ACCOUNT_DISABLED'],
  handler: async (request) => {
    const { deps, body, command } = request;
    const { adminEmail } = deps.config;
    const account = await spendLogInLink(command, { token: body.token, ...(adminEmail ? { adminEmail } : {}) });
    return logInByMail(request, account);
  },
});

/** Whatever the proof ends has ended before the answer. */
async function logInByMail(request: RouteRequest, account: ActiveAccount) {
  const { deps, command } = request;
  const { userId } = account;
  await endOrderedSessions(deps, command, userId);
  const { position } = await endFormerAccess(command, { userId });
  await afterWrite(deps, { position, answer: null }, (shown) =>
    Promise.all([getAccount(shown, userId), listApiKeys(shown, userId), listWebhooks(shown, userId)]),
  );
  return finishLogIn(request, { account, proof: { kind: 'mail', at: command.now() } });
}

const noMail = (): HttpError =>
  new HttpError('NO_MAIL', 'This installation sends no email, so it can’t send codes. Log in with your password.');
