/** The door to what belongs to the signed-in user: features inject their endpoints here. Not part of the first download. */
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import { authorizedCall } from './authorizedCall.ts';
import type { ApiCall } from './call.ts';
import type { ApiFailure } from './failure.ts';
import { sessionEnded } from './sessionEnded.ts';

const authorizedQuery: BaseQueryFn<ApiCall, unknown, ApiFailure> = async (call, { signal, dispatch }) => {
  const { data, failure } = await authorizedCall(call, () => void dispatch(sessionEnded()), signal);
  return failure ? { error: failure } : { data };
};

export const api = createApi({
  reducerPath: 'api',
  baseQuery: authorizedQuery,
  tagTypes: ['AccountDeletion', 'Actions', 'ApiKeys', 'Deliveries', 'MailPreferences', 'Sessions', 'Subscription', 'Webhooks'],
  endpoints: () => ({}),
});
