/** Logging in with a passkey, alone or as the second step. */
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { PasskeyAssertion, PasskeyGetOptionsResponse } from '../../../src/http/contract/passkeys.ts';
import { callApi } from '../../api/call.ts';
import { getPasskey } from '../../api/passkeys.ts';
import { enter } from './enter.ts';
import type { AuthStore } from './session.ts';

type Ways = {
  readonly optionsPath: string;
  readonly path: string;
  /** Sent with both. */
  readonly body: object;
};

async function logInBy(store: AuthStore, { optionsPath, path, body }: Ways) {
  const { data, failure } = await callApi({ path: optionsPath, method: 'POST', body }, null);
  if (failure) return { failure };
  const asked = await getPasskey((data as PasskeyGetOptionsResponse).options);
  if (asked.failure) return asked;
  const answer: { readonly passkey: PasskeyAssertion } = { ...body, passkey: asked.passkey };
  return enter<LoginResponse>(store, 'login', { path, method: 'POST', body: answer });
}

const PASSKEYS = '/api/v1/auth/passkeys';
export const logInByPasskey = (store: AuthStore) =>
  logInBy(store, { optionsPath: `${PASSKEYS}/log-in/options`, path: `${PASSKEYS}/log-in`, body: {} });

const VERIFY = '/api/v1/auth/mfa/verify';
export const verifyByPasskey = (store: AuthStore, challenge: string) =>
  logInBy(store, { optionsPath: `${VERIFY}/passkey-options`, path: VERIFY, body: { mfa_token: challenge } });
