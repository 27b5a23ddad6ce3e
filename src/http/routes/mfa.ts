/** Two-factor authentication: the second step of log-in, codes in an open session, and turning it on and off. */

import type * as z from 'zod';
import { loadState } from '../../commands/handle.ts';
import { passkeysOf } from '../../commands/logIn/passkeys.ts';
import {
  challengeEnded,
  checkChallenge,
  proofInChallenge,
  userInChallenge,
} from '../../commands/secondFactor/challenge.ts';
import type { MfaKeys } from '../../commands/secondFactor/mfaKeys.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  mfaUnavailable,
  passSecondFactor,
  proveByEnrolment,
  removeSecondFactor,
  requiredEnrolment,
} from '../../commands/secondFactor/secondFactor.ts';
import { requestSessionsEnd } from '../../commands/session/endSessions.ts';
import { addSessionProof, dropSecondFactorProofs } from '../../commands/session/sessionProofs.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream, type SessionProof } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { passkeyInvalid } from '../../domain/logIn/logIn.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { secondFactorDecider, secondFactorOff } from '../../domain/secondFactor/secondFactor.ts';
import { getAccount } from '../../projections/accounts.ts';
import { confirmOwner } from '../auth/confirmPassword.ts';
import { knownBrowserCookies } from '../auth/knownBrowser.ts';
import { callersAccount, openLogIn } from '../auth/openSession.ts';
import type { PasskeyPurpose } from '../auth/passkeyChallenge.ts';
import { endOrderedSessions } from '../auth/sessionsEnd.ts';
import { askForPasskey, showPasskey } from '../auth/showPasskey.ts';
import { refusedLogIn } from '../auth/tryPassword.ts';
import { LoginResponse } from '../contract/auth.ts';
import {
  MfaConfirmRequest,
  MfaConfirmResponse,
  MfaEnrolResponse,
  MfaPasswordRequest,
  MfaRemoveResponse,
  MfaResponse,
  MfaStepUpRequest,
  MfaStepUpResponse,
  MfaVerifyRequest,
} from '../contract/mfa.ts';
import { MfaPasskeyOptionsRequest, PasskeyGetOptionsResponse } from '../contract/passkeys.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

export const verifySecondFactor = route({
  method: 'POST',
  path: '/auth/mfa/verify',
  access: 'public',
  summary:
    'Finish logging in with the `mfa_token` from log-in and a code from the authenticator app, a recovery code, or a passkey',
  body: MfaVerifyRequest,
  example: { mfa_token: 'the token of a log-in', code: '123456' },
  response: LoginResponse,
  refusals: [
    'MFA_CHALLENGE_ENDED',
    'MFA_CODE_INVALID',
    'MFA_CODE_USED',
    'RATE_LIMITED',
    'MFA_UNAVAILABLE',
    'PASSKEYS_UNAVAILABLE',
    'INVALID_CREDENTIALS',
    'ACCOUNT_DISABLED',
  ],
  handler: async (request) => {
    const { deps, body, command, noteSecurity } = request;
    const keys = keysOf(deps);
    const account = await activeAccount(deps, userInChallenge(keys, body.mfa_token, deps.now()));
    checkChallenge(keys, body.mfa_token, account);
    const { userId, passwordHash } = account;
    const { kind, enrolmentId } = await tryFactor(request, challenged(userId, body.mfa_token)).catch(
      (error: unknown) => {
        if (error instanceof DomainError && error.code !== 'MFA_UNAVAILABLE') refusedLogIn(deps)(userId);
        throw error;
      },
    );
    const proofs: readonly SessionProof[] = [proofInChallenge(body.mfa_token), { kind, at: command.now() }];
    const opened = await openLogIn(request, { userId, passwordHash, proofs, enrolmentId });
    if (!opened) throw challengeEnded();
    noteSecurity('login', { userId, by: kind });
    return new Reply(opened, knownBrowserCookies(deps, account));
  },
});

export const askPasskeyToVerify = route({
  method: 'POST',
  path: '/auth/mfa/verify/passkey-options',
  access: 'public',
  secret: true,
  summary: 'With the `mfa_token` from log-in: what the browser has to ask for a passkey in place of a code',
  body: MfaPasskeyOptionsRequest,
  example: { mfa_token: 'the token of a log-in' },
  response: PasskeyGetOptionsResponse,
  limit: 'recovery',
  refusals: ['MFA_CHALLENGE_ENDED', 'PASSKEYS_UNAVAILABLE', 'RATE_LIMITED', 'MFA_UNAVAILABLE'],
  handler: async ({ deps, body }) => {
    const keys = keysOf(deps);
    const account = await activeAccount(deps, userInChallenge(keys, body.mfa_token, deps.now()));
    checkChallenge(keys, body.mfa_token, account);
    return askForFactor(deps, challenged(account.userId, body.mfa_token));
  },
});

export const askPasskeyToStepUp = route({
  method: 'POST',
  path: '/auth/mfa/step-up/passkey-options',
  access: 'user',
  secret: true,
  summary: 'In an open session: what the browser has to ask for a passkey in place of a code',
  response: PasskeyGetOptionsResponse,
  refusals: ['PASSKEYS_UNAVAILABLE'],
  handler: async ({ deps, caller: { userId, sessionId } }) => askForFactor(deps, challenged(userId, sessionId)),
});

/** Whose factor is asked for, and by what: the token of a log-in, or a session. */
type Challenged = { readonly userId: string; readonly purpose: PasskeyPurpose };

const challenged = (userId: string, by: string): Challenged => ({
  userId,
  purpose: { for: 'second_factor', subject: `${userId} ${by}` },
});

/** @throws HttpError PASSKEYS_UNAVAILABLE */
async function askForFactor(deps: HttpDeps, { userId, purpose }: Challenged) {
  const passkeys = await passkeysOf(deps, userId);
  if (passkeys.length === 0) throw new HttpError('PASSKEYS_UNAVAILABLE', 'Your account has no passkey.');
  const { options, cookies } = askForPasskey(deps, { purpose, passkeys });
  return new Reply({ success: true as const, options }, cookies);
}

export const stepUp = route({
  method: 'POST',
  path: '/auth/mfa/step-up',
  access: 'user',
  secret: true,
  summary:
    'Show a code, a recovery code, or a passkey in an open session, for what needs two-factor authentication: the admin area asks for it once per session',
  body: MfaStepUpRequest,
  example: { code: '123456' },
  response: MfaStepUpResponse,
  refusals: [
    'MFA_NOT_ON',
    'MFA_CODE_INVALID',
    'MFA_CODE_USED',
    'RATE_LIMITED',
    'MFA_UNAVAILABLE',
    'PASSKEYS_UNAVAILABLE',
    'SESSION_ENDED',
  ],
  handler: async (request) => {
    const { deps, caller, command, noteSecurity } = request;
    const { userId, sessionId } = caller;
    if ((await requiredEnrolment(deps, userId)) === null) throw secondFactorOff();
    const { kind, enrolmentId } = await tryFactor(request, challenged(userId, sessionId));
    await addSessionProof(command, { sessionId, userId, kind });
    // It may have been turned off meanwhile, which drops the proofs that were there by then.
    if ((await requiredEnrolment(deps, userId)) !== enrolmentId) {
      await dropSecondFactorProofs(command, { sessionId, userId });
      throw secondFactorOff();
    }
    noteSecurity('step_up', { userId, by: kind });
    return { success: true as const, message: 'Thank you. You can go on.' };
  },
});

type FactorTry = Pick<
  RouteRequest<unknown, unknown, z.infer<typeof MfaStepUpRequest>>,
  'deps' | 'body' | 'command' | 'cookies' | 'limiter' | 'address'
>;

type ShownFactor = { readonly kind: 'code' | 'recovery_code' | 'passkey'; readonly enrolmentId: string | null };

/**
 * One try of a code or a passkey, limited and logged alike wherever one is entered.
 * @throws DomainError MFA_CODE_INVALID, MFA_CODE_USED, MFA_UNAVAILABLE
 */
async function tryFactor(request: FactorTry, challenge: Challenged): Promise<ShownFactor> {
  const { limiter, address } = request;
  const { userId } = challenge;
  const attempt = await limiter.attemptSecondFactor(userId, address);
  const shown = await showFactor(request, challenge).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code === 'MFA_UNAVAILABLE') await attempt.undecided();
    throw error;
  });
  await attempt.succeeded();
  return shown;
}

async function showFactor(request: FactorTry, { userId, purpose }: Challenged): Promise<ShownFactor> {
  const { deps, body, command } = request;
  if (body.passkey) {
    // Before the passkey: what is turned on from then on was not asked for.
    const enrolmentId = await requiredEnrolment(deps, userId);
    await showPasskey(request, { userId, assertion: body.passkey, purpose }).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === passkeyInvalid().code) throw wrongPasskey();
      throw error;
    });
    return { kind: 'passkey', enrolmentId };
  }
  const given = body.code === undefined ? { recoveryCode: body.recovery_code ?? '' } : { code: body.code };
  const { enrolmentId } = await passSecondFactor(command, { userId, given, keys: keysOf(deps) });
  return { kind: 'code' in given ? 'code' : 'recovery_code', enrolmentId };
}

/** As a wrong code: in an open session a 401 would say that it has ended. */
const wrongPasskey = (): DomainError =>
  new DomainError('MFA_CODE_INVALID', 'That passkey can’t be used here. Please try again, or enter a code.');

export const getMfa = route({
  method: 'GET',
  path: '/auth/mfa',
  access: 'user',
  summary: 'Get whether two-factor authentication is on, and how many recovery codes are left',
  response: MfaResponse,
  handler: async ({ deps, caller }) => {
    const { enabled } = (await loadState(deps.store, secondFactorDecider, secondFactorStream(caller.userId))).state;
    const { mfaKeys } = deps;
    // With another key than it was set up with, no code can be checked.
    const available =
      mfaKeys !== null && (enabled === null || mfaKeys.open(enabled.sealedSecret, caller.userId) !== null);
    const data = {
      enabled: enabled !== null,
      enabled_at: enabled?.enabledAt ?? null,
      recovery_codes_left: enabled?.recoveryCodeHashes.length ?? 0,
      available,
    };
    return { success: true as const, data };
  },
});

export const enrolSecondFactor = route({
  method: 'POST',
  path: '/auth/mfa/enrol',
  access: 'user',
  secret: true,
  summary:
    'Start setting up two-factor authentication: returns the authenticator secret, once. No code is required until one confirms it',
  body: MfaPasswordRequest,
  example: { password: 'a good password' },
  response: MfaEnrolResponse,
  refusals: ['WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'MFA_ALREADY_ON', 'MFA_UNAVAILABLE', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, body, caller, command } = request;
    const keys = keysOf(deps);
    await confirmOwner(request, body.password);
    const { email } = await callersAccount(deps, caller.userId);
    return { success: true as const, data: await beginEnrolment(command, { userId: caller.userId, email, keys }) };
  },
});

export const confirmSecondFactor = route({
  method: 'POST',
  path: '/auth/mfa/confirm',
  access: 'user',
  secret: true,
  summary:
    'Turn on two-factor authentication with the first code from the app. Returns the recovery codes, once; all other sessions end',
  body: MfaConfirmRequest,
  example: { code: '123456' },
  response: MfaConfirmResponse,
  refusals: ['MFA_SETUP_ENDED', 'MFA_CODE_INVALID', 'MFA_UNAVAILABLE', 'RATE_LIMITED', 'SESSION_ENDED'],
  handler: async ({ deps, body, caller, command, limiter, noteSecurity }) => {
    const { userId, sessionId } = caller;
    const attempt = await limiter.attemptConfirmation(userId, sessionId);
    const given = { userId, code: body.code, keptSessionId: sessionId, keys: keysOf(deps) };
    const { recoveryCodes, position } = await confirmEnrolment(command, given).catch(async (error: unknown) => {
      if (!(error instanceof DomainError && error.code === 'MFA_CODE_INVALID')) await attempt.undecided();
      throw error;
    });
    await attempt.succeeded();
    await endOrderedSessions(deps, command, userId);
    await proveByEnrolment(command, { userId, sessionId });
    noteSecurity('second_factor_on', { userId });
    const answer = { success: true as const, data: { recovery_codes: [...recoveryCodes] } };
    return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
  },
});

export const deleteSecondFactor = route({
  method: 'POST',
  path: '/auth/mfa/remove',
  access: 'user',
  secret: true,
  summary: 'Turn off two-factor authentication; all other sessions end',
  body: MfaPasswordRequest,
  example: { password: 'a good password' },
  response: MfaRemoveResponse,
  refusals: ['WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, body, caller, command, noteSecurity } = request;
    const { userId, sessionId } = caller;
    await confirmOwner(request, body.password);
    // Codes shown before prove nothing any more. This session loses them first: whoever learns that the factor is gone
    // finds the session without.
    await dropSecondFactorProofs(command, { sessionId, userId });
    await requestSessionsEnd(command, { userId, keptSessionId: sessionId });
    const { position } = await removeSecondFactor(command, { userId, reason: 'owner' });
    await endOrderedSessions(deps, command, userId);
    noteSecurity('second_factor_off', { userId });
    const answer = { success: true as const, message: 'Two-factor authentication is off.' };
    return afterWrite(deps, { position, answer }, (shown) => getAccount(shown, userId));
  },
});

/** @throws DomainError MFA_UNAVAILABLE */
function keysOf({ mfaKeys }: Pick<HttpDeps, 'mfaKeys'>): MfaKeys {
  if (!mfaKeys) throw mfaUnavailable();
  return mfaKeys;
}

/** @throws DomainError MFA_CHALLENGE_ENDED if it was deleted since the log-in began */
async function activeAccount({ store }: Pick<HttpDeps, 'store'>, userId: string) {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw challengeEnded();
  return state;
}
