/** Logging in at a provider of single sign-on: leaving for it, and coming back. */
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { SsoFinishRequest, SsoStartResponse } from '../../../src/http/contract/logIn.ts';
import { authorizedCall } from '../../api/authorizedCall.ts';
import { callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { leaveFor } from '../../api/leaveFor.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';
import { enter } from './enter.ts';
import type { AuthStore } from './session.ts';

const pathOf = (provider: string, step: 'start' | 'finish'): string =>
  `/api/v1/auth/sso/${encodeURIComponent(provider)}/${step}`;

/** Leads the browser to the provider. */
export async function goToProvider(provider: string): Promise<{ readonly failure?: ApiFailure }> {
  const { data, failure } = await callApi({ path: pathOf(provider, 'start'), method: 'POST', body: {} }, null);
  if (failure) return { failure };
  leaveFor((data as SsoStartResponse).url);
  return {};
}

/** `answer`: what the provider’s redirect carried. */
type CameBack = { readonly provider: string; readonly answer: SsoFinishRequest };

export const logInByProvider = (store: AuthStore, { provider, answer }: CameBack) =>
  enter<LoginResponse>(store, 'login', { path: pathOf(provider, 'finish'), method: 'POST', body: answer });

/** For whoever is logged in. */
export async function addIdentity(
  { dispatch }: AuthStore,
  { provider, answer }: CameBack,
): Promise<{ readonly failure?: ApiFailure | undefined }> {
  const path = `/api/v1/auth/identities/${encodeURIComponent(provider)}/finish`;
  const { failure } = await authorizedCall({ path, method: 'POST', body: answer }, () => void dispatch(sessionEnded()));
  return { failure };
}
