/** Logging in and signing up by email: requesting the code and the link, and using them. */
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { LogInCodeRequest, LogInLinkResponse, LogInMailRequest } from '../../../src/http/contract/logIn.ts';
import { callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { enter } from './enter.ts';
import type { AuthStore } from './session.ts';

const PATH = '/api/v1/auth/log-in-mail';

export async function requestLogInMail(body: LogInMailRequest): Promise<ApiFailure | null> {
  return (await callApi({ path: PATH, method: 'POST', body }, null)).failure ?? null;
}

export const logInByCode = (store: AuthStore, body: LogInCodeRequest) =>
  enter<LoginResponse>(store, 'login', { path: `${PATH}/code`, method: 'POST', body });

export const logInByLink = (store: AuthStore, body: { readonly token: string }) =>
  enter<LoginResponse>(store, 'login', { path: `${PATH}/link`, method: 'POST', body });

/** Whose link it is, without using it up. */
export async function openLink(
  token: string,
): Promise<{ readonly email: string; readonly failure?: undefined } | { readonly failure: ApiFailure }> {
  const { data, failure } = await callApi({ path: `${PATH}/open`, method: 'POST', body: { token } }, null);
  return failure ? { failure } : { email: (data as LogInLinkResponse).email };
}
