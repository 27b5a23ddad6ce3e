/** Passkeys of this browser. What talks to its authenticators is loaded when one is asked for. */
import type {
  PasskeyAssertion,
  PasskeyCreateOptions,
  PasskeyGetOptions,
  PasskeyRegistration,
} from '../../src/http/contract/passkeys.ts';
import { type ApiFailure, textOf } from './failure.ts';

const ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/** Why no passkey can be used on this page; null if one can. */
export function noPasskeysBecause(): string | null {
  if (ADDRESS.test(location.hostname))
    return 'Passkeys need a host name such as localhost or your domain; this page is open at an IP address.';
  return 'PublicKeyCredential' in globalThis
    ? null
    : 'This browser has no passkeys, or this page is not open by https.';
}

type Asked<Answer> =
  | { readonly passkey: Answer; readonly failure?: undefined }
  | { readonly failure: ApiFailure; readonly passkey?: undefined };

export const getPasskey = (options: PasskeyGetOptions): Promise<Asked<PasskeyAssertion>> =>
  ask(async ({ startAuthentication }) => (await startAuthentication({ optionsJSON: options })) as PasskeyAssertion);

export const createPasskey = (options: PasskeyCreateOptions): Promise<Asked<PasskeyRegistration>> =>
  ask(async ({ startRegistration }) => (await startRegistration({ optionsJSON: options })) as PasskeyRegistration);

async function ask<Answer>(
  how: (browser: typeof import('@simplewebauthn/browser')) => Promise<Answer>,
): Promise<Asked<Answer>> {
  try {
    return { passkey: await how(await import('@simplewebauthn/browser')) };
  } catch (error) {
    const { name } = error as Error;
    // Browsers do not tell apart whether the user or the authenticator had enough.
    const message =
      name === 'NotAllowedError' || name === 'AbortError'
        ? 'No passkey was used. You can try again.'
        : name === 'InvalidStateError'
          ? 'This passkey is already in your account.'
          : textOf(error, 'This passkey can’t be used here.');
    return { failure: { status: 0, code: 'PASSKEY_UNUSED', message } };
  }
}
