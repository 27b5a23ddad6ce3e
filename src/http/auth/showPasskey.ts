/** Verifies what authenticators answer. The library is loaded when the first one does. */
import { loadState } from '../../commands/handle.ts';
import { notePasskeyUse } from '../../commands/logIn/passkeys.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider, type Passkey, passkeyInvalid } from '../../domain/logIn/logIn.ts';
import type { PasskeyAssertion, PasskeyGetOptions, PasskeyRegistration } from '../contract/passkeys.ts';
import type { RouteRequest } from '../routing/route.ts';
import {
  askedPasskey,
  CHALLENGE_MS,
  newPasskeyChallenge,
  type PasskeyPurpose,
  type PasskeySite,
  requirePasskeySite,
} from './passkeyChallenge.ts';

/** ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** As browsers take it; an unknown transport is no reason to refuse one. */
export const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  type: 'public-key' as const,
  ...(transports ? { transports: [...transports] } : {}),
});

/** What the browser is asked for, with its cookie. `passkeys`: those it may answer with; none: any that it has. */
export function askForPasskey(
  deps: RouteRequest['deps'],
  { purpose, passkeys }: { readonly purpose: PasskeyPurpose; readonly passkeys: readonly Passkey[] },
) {
  const { rpId } = requirePasskeySite(deps);
  const { challenge, cookies } = newPasskeyChallenge(deps, purpose);
  const options: PasskeyGetOptions = {
    rpId,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(descriptorOf),
  };
  return { options, cookies };
}

type Showing = Pick<RouteRequest, 'deps' | 'command' | 'cookies'>;

/** Verifies an answer and records that the passkey was used. @throws DomainError PASSKEY_INVALID, whatever the cause */
export async function showPasskey(
  { deps, command, cookies }: Showing,
  {
    userId,
    assertion,
    purpose,
  }: { readonly userId: string; readonly assertion: PasskeyAssertion; readonly purpose: PasskeyPurpose },
): Promise<Passkey> {
  const site = requirePasskeySite(deps);
  const asked = askedPasskey(deps, cookies, purpose);
  const { state } = await loadState(deps.store, logInDecider, logInStream(userId));
  const passkey = Object.values(state.passkeys).find(({ credentialId }) => credentialId === assertion.id);
  const counter = asked && passkey ? await verifiedCounter(site, asked.challenge, passkey, assertion) : null;
  if (!asked || !passkey || counter === null) throw passkeyInvalid();
  const { passkeyId } = passkey;
  await notePasskeyUse(command, { userId, passkeyId, counter, challengedAt: asked.challengedAt });
  return passkey;
}

/** Null if it is not an answer of this passkey, here, to this challenge. */
async function verifiedCounter(
  { rpId, origins }: PasskeySite,
  challenge: string,
  { credentialId, publicKey, counter }: Passkey,
  { response: { userHandle, ...response }, ...assertion }: PasskeyAssertion,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        response: { ...response, ...(userHandle ? { userHandle } : {}) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // Whatever is wrong with it, the library throws.
    return null;
  }
}

/** What is kept of a new passkey; null if the answer is not one to this challenge, here. */
export async function verifiedRegistration(
  { rpId, origins }: PasskeySite,
  challenge: string,
  { response, ...registration }: PasskeyRegistration,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'isSynced'> | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...registration,
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      isSynced: credentialBackedUp,
    };
  } catch {
    return null;
  }
}
