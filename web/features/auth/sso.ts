/** Single sign-on: leaving for a provider, and finishing once it has led back. */
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { SsoFinishRequest, SsoStartResponse } from '../../../src/http/contract/logIn.ts';
import { callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { enter } from './enter.ts';
import type { AuthStore } from './session.ts';

/** Opens the provider's page in place of this one. */
export async function leaveForProvider(provider: string): Promise<ApiFailure | null> {
  const path = `/api/v1/auth/sso/${encodeURIComponent(provider)}/start`;
  const { data, failure } = await callApi({ path, method: 'POST', body: {} }, null);
  if (failure) return failure;
  window.location.assign((data as SsoStartResponse).url);
  return null;
}

export const logInBySso = (store: AuthStore, { provider, ...body }: SsoFinishRequest & { readonly provider: string }) =>
  enter<LoginResponse>(store, 'login', {
    path: `/api/v1/auth/sso/${encodeURIComponent(provider)}/finish`,
    method: 'POST',
    body,
  });

/** What the provider's redirect carried; `adds`: it ends in an identity of the account. Null: it has no code. */
export function readSsoAnswer(search: string): { readonly adds: boolean; readonly body: SsoFinishRequest } | null {
  const query = new URLSearchParams(search);
  const [code, state, iss] = [query.get('code'), query.get('state'), query.get('iss')];
  if (!code || !state) return null;
  return { adds: state.startsWith('add.'), body: { code, state, ...(iss ? { iss } : {}) } };
}
