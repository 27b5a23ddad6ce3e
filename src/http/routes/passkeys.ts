/** Passkeys: logging in with one, and the list of the account's own. */
import * as z from 'zod';
import { loadState } from '../../commands/handle.ts';
import { addPasskey, passkeysOf, removePasskey, renamePasskey } from '../../commands/logIn/passkeys.ts';
import { endSession } from '../../commands/session/endSession.ts';
import { idInToken } from '../../commands/tokens.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { MOST_PASSKEYS, type Passkey, passkeyInvalid, passkeyNotFound } from '../../domain/logIn/logIn.ts';
import { confirmOwner, hasOtherWay } from '../auth/confirmPassword.ts';
import { keepIfOpen } from '../auth/keepIfOpen.ts';
import { callersAccount, finishLogIn } from '../auth/openSession.ts';
import {
  askedPasskey,
  CHALLENGE_MS,
  newPasskeyChallenge,
  type PasskeyPurpose,
  passkeyAsked,
  passkeySite,
  requirePasskeySite,
} from '../auth/passkeyChallenge.ts';
import { requireSecondFactor } from '../auth/proofs.ts';
import {
  askForPasskey,
  descriptorOf,
  PASSKEY_ALGORITHMS,
  showPasskey,
  verifiedRegistration,
} from '../auth/showPasskey.ts';
import { refusedLogIn } from '../auth/tryPassword.ts';
import { LoginResponse } from '../contract/auth.ts';
import {
  AddPasskeyRequest,
  PasskeyCreateOptionsResponse,
  PasskeyGetOptionsResponse,
  PasskeyLogInRequest,
  PasskeyOwnerRequest,
  PasskeyResponse,
  PasskeysResponse,
  type PasskeyView,
  RemovePasskeyResponse,
  RenamePasskeyRequest,
} from '../contract/passkeys.ts';
import type { Caller } from '../request/caller.ts';
import { HttpError } from '../request/errors.ts';
import { Reply } from '../request/reply.ts';
import { type RouteRequest, route } from '../routing/route.ts';

/** What authenticators show beside the account. */
const NAME = 'SEO Workbench';
const LOG_IN: PasskeyPurpose = { for: 'log_in', subject: '' };
/** Who confirmed it: nobody else can finish, also in the same browser. */
const adding = ({ userId, sessionId }: Caller): PasskeyPurpose => ({ for: 'add', subject: `${userId} ${sessionId}` });
const USER_ID = /^[0-9a-f-]{36}$/;

export const askPasskeyLogIn = route({
  method: 'POST',
  path: '/auth/passkeys/log-in/options',
  access: 'public',
  secret: true,
  summary: 'Start logging in with a passkey: what the browser has to ask its authenticator for, valid for five minutes',
  response: PasskeyGetOptionsResponse,
  limit: 'recovery',
  refusals: ['PASSKEYS_UNAVAILABLE', 'RATE_LIMITED'],
  handler: async ({ deps }) => {
    const { options, cookies } = askForPasskey(deps, { purpose: LOG_IN, passkeys: [] });
    return new Reply({ success: true as const, options }, cookies);
  },
});

export const logInByPasskey = route({
  method: 'POST',
  path: '/auth/passkeys/log-in',
  access: 'public',
  secret: true,
  summary: 'Log in with the answer of a passkey, in the browser that asked for it; it counts as two factors',
  body: PasskeyLogInRequest,
  example: { passkey: exampleAssertion() },
  response: LoginResponse,
  limit: 'recovery',
  refusals: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'RATE_LIMITED', 'ACCOUNT_DISABLED', 'INVALID_CREDENTIALS'],
  handler: async (request) => {
    const { deps, body, command } = request;
    const userId = Buffer.from(body.passkey.response.userHandle ?? '', 'base64url').toString('utf8');
    const refuse = (error: unknown): never => {
      if (error instanceof DomainError) refusedLogIn(deps)(null);
      throw error;
    };
    const account = await accountToOpen(deps, userId).catch(refuse);
    const { passkeyId } = await showPasskey(request, { userId, assertion: body.passkey, purpose: LOG_IN }).catch(
      refuse,
    );
    // Only who has the passkey learns it.
    if (account.isDisabled) throw accountDisabled();
    const opened = await finishLogIn(request, { account, proof: { kind: 'passkey', at: command.now() } });
    // The second factor was turned on or off meanwhile: a new try is simplest.
    if (!(opened instanceof Reply) || 'mfa_token' in opened.body) throw passkeyInvalid();
    const kept = (await passkeysOf(deps, userId)).some((passkey) => passkey.passkeyId === passkeyId);
    if (!kept) {
      await endSession(command, { sessionId: idInToken(opened.body.token) ?? '', userId, reason: 'revoked' });
      throw passkeyInvalid();
    }
    return new Reply(opened.body, [...opened.cookies, passkeyAsked(LOG_IN)]);
  },
});

/** @throws DomainError PASSKEY_INVALID */
async function accountToOpen({ store }: RouteRequest['deps'], userId: string): Promise<ActiveAccount> {
  if (!USER_ID.test(userId)) throw passkeyInvalid();
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw passkeyInvalid();
  return state;
}

export const getPasskeys = route({
  method: 'GET',
  path: '/auth/passkeys',
  access: 'user',
  summary: 'List your passkeys, in the order in which they were added',
  response: PasskeysResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: (await passkeysOf(deps, caller.userId)).map(presentPasskey),
    limit: MOST_PASSKEYS,
    available: passkeySite(deps.config) !== null,
  }),
});

export const askNewPasskey = route({
  method: 'POST',
  path: '/auth/passkeys/options',
  access: 'user',
  secret: true,
  summary:
    'Start adding a passkey: confirms who asks, and returns what the browser has to ask its authenticator for, valid for five minutes in this session',
  body: PasskeyOwnerRequest,
  example: { password: 'a good password' },
  response: PasskeyCreateOptionsResponse,
  refusals: ['WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'MFA_REQUIRED', 'PASSKEYS_UNAVAILABLE', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, body, caller } = request;
    const { rpId } = requirePasskeySite(deps);
    await confirmOwner(request, body.password);
    await requireSecondFactor(deps, caller);
    const { email } = await callersAccount(deps, caller.userId);
    const { challenge, cookies } = newPasskeyChallenge(deps, adding(caller));
    const options = {
      rp: { id: rpId, name: NAME },
      user: { id: Buffer.from(caller.userId).toString('base64url'), name: email, displayName: email },
      challenge,
      timeout: CHALLENGE_MS,
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: (await passkeysOf(deps, caller.userId)).map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
    };
    return new Reply({ success: true as const, options }, cookies);
  },
});

export const postPasskey = route({
  method: 'POST',
  path: '/auth/passkeys',
  access: 'user',
  secret: true,
  summary: 'Add the passkey that the browser created, with a name for the list',
  body: AddPasskeyRequest,
  example: { name: 'Phone', passkey: exampleRegistration() },
  response: PasskeyResponse,
  status: 201,
  refusals: ['PASSKEY_REFUSED', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS', 'PASSKEYS_UNAVAILABLE', 'SESSION_ENDED'],
  handler: async (request) => {
    const { deps, body, caller, command, cookies, noteSecurity } = request;
    const { userId } = caller;
    const site = requirePasskeySite(deps);
    const asked = askedPasskey(deps, cookies, adding(caller));
    const made = asked && (await verifiedRegistration(site, asked.challenge, body.passkey));
    if (!made) throw new HttpError('PASSKEY_REFUSED', 'This passkey couldn’t be added. Please try again.');
    const { transports } = body.passkey.response;
    const added = await addPasskey(command, {
      userId,
      ...made,
      ...(transports ? { transports } : {}),
      name: body.name,
    });
    const { passkeyId } = added;
    await keepIfOpen(request, () => removePasskey(command, { userId, passkeyId, reason: 'owner', hasOtherWay: true }));
    noteSecurity('passkey_added', { userId });
    return new Reply({ success: true as const, data: presentPasskey(added) }, [passkeyAsked(adding(caller))]);
  },
});

const params = z.object({ passkeyId: z.string().min(1).max(64) });

export const putPasskey = route({
  method: 'PUT',
  path: '/auth/passkeys/{passkeyId}',
  access: 'user',
  summary: 'Rename a passkey',
  params,
  body: RenamePasskeyRequest,
  example: { name: 'Key' },
  response: PasskeyResponse,
  refusals: ['PASSKEY_NOT_FOUND'],
  handler: async ({ deps, body: { name }, caller: { userId }, params: { passkeyId }, command }) => {
    await renamePasskey(command, { userId, passkeyId, name });
    const passkey = (await passkeysOf(deps, userId)).find((each) => each.passkeyId === passkeyId);
    if (!passkey) throw passkeyNotFound();
    return { success: true as const, data: presentPasskey(passkey) };
  },
});

export const deletePasskey = route({
  method: 'DELETE',
  path: '/auth/passkeys/{passkeyId}',
  access: 'user',
  secret: true,
  summary: 'Remove a passkey; the last way to log in stays',
  params,
  body: PasskeyOwnerRequest,
  example: { password: 'a good password' },
  response: RemovePasskeyResponse,
  refusals: ['PASSKEY_NOT_FOUND', 'LAST_WAY_IN', 'WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const {
      deps,
      body,
      caller: { userId },
      params: { passkeyId },
      command,
      noteSecurity,
    } = request;
    const account = await confirmOwner(request, body.password);
    const removal = { userId, passkeyId, reason: 'owner', hasOtherWay: hasOtherWay(account, deps.config) } as const;
    await removePasskey(command, removal);
    noteSecurity('passkey_removed', { userId });
    return { success: true as const, message: 'Passkey removed' };
  },
});

function presentPasskey({ passkeyId, name, addedAt, lastUsedAt, isSynced }: Passkey): PasskeyView {
  return { id: passkeyId, name, added_at: addedAt, last_used_at: lastUsedAt, synced: isSynced };
}

/** For the documentation: no authenticator made it. */
function exampleAssertion() {
  const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' };
  return { id: 'AA', rawId: 'AA', type: 'public-key' as const, response };
}

function exampleRegistration() {
  return {
    id: 'AA',
    rawId: 'AA',
    type: 'public-key' as const,
    response: { clientDataJSON: 'e30', attestationObject: 'AA' },
  };
}
