/** The one door to the server: features inject their endpoints here. */
import { createAction } from '@reduxjs/toolkit';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import { type ApiCall, callApi } from './call.ts';
import { type ApiFailure, NETWORK_FAILURE, NO_TOKEN_FAILURE } from './failure.ts';
import { renewSession } from './renewal.ts';
import { accessToken, clearTokens } from './tokens.ts';

/** The session is over and nobody asked for it: expired, revoked, or ended in another tab. */
export const sessionEnded = createAction('session/ended');

/** A 401 is dealt with here and nowhere else: renew once and repeat, or say that the session is over. */
export const authorizedQuery: BaseQueryFn<ApiCall, unknown, ApiFailure> = async (call, { signal, dispatch }) => {
  if (call.anonymous) return outcome(await callApi(call, null, signal));
  const token = accessToken();
  if (!token) return { error: NO_TOKEN_FAILURE };
  const answer = await callApi(call, token, signal);
  if (answer.failure?.status !== 401) return outcome(answer);
  const renewal = await renewSession(token);
  if (renewal === 'unreachable') return { error: NETWORK_FAILURE };
  if (renewal === 'renewed') {
    const second = await callApi(call, accessToken(), signal);
    if (second.failure?.status !== 401) return outcome(second);
  }
  clearTokens();
  dispatch(sessionEnded());
  return outcome(answer);
};

function outcome({ data, failure }: Awaited<ReturnType<typeof callApi>>): { data: unknown } | { error: ApiFailure } {
  return failure ? { error: failure } : { data };
}

export const api = createApi({
  reducerPath: 'api',
  baseQuery: authorizedQuery,
  tagTypes: ['Actions', 'Subscription'],
  endpoints: () => ({}),
});
