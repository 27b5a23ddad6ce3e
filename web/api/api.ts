/**
 * RTK Query API for the logged-in user's data: features inject their endpoints here. Not part of the initial bundle.
 */
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import { authorizedCall } from './authorizedCall.ts';
import type { ApiAnswer, ApiCall } from './call.ts';
import type { ApiFailure } from './failure.ts';
import { endOfWork, pendingIn } from './pendingWork.ts';
import { sessionEnded } from './sessionEnded.ts';

const authorizedQuery: BaseQueryFn<ApiCall, unknown, ApiFailure> = async (call, { signal, dispatch }) => {
  const ask = (asked: ApiCall): Promise<ApiAnswer> =>
    authorizedCall(asked, () => void dispatch(sessionEnded()), signal);
  const { data, failure } = await ask(call);
  if (failure) return { error: failure };
  const work = pendingIn(data);
  const unfinished = work && (await endOfWork(work, ask, signal));
  return unfinished ? { error: unfinished } : { data };
};

export const api = createApi({
  reducerPath: 'api',
  baseQuery: authorizedQuery,
  tagTypes: ['Actions', 'Files', 'Sessions', 'Subscription'],
  endpoints: () => ({}),
});

/** The items of the newest audit, of all or of a site, which another one becomes when it is deleted. */
export const NEWEST_ACTIONS = { type: 'Actions', id: 'newest' } as const;
