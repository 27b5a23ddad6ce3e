/** The part of the store that holds the logged-in user's data. */
import type { Middleware, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '../api/api.ts';
import { jobsForgotten, jobsSlice } from '../features/jobs/jobsSlice.ts';
import { readyWatch } from '../features/jobs/readyWatch.ts';
import type { AppStore, UserData } from './store.ts';

export interface UserStore {
  readonly dispatch: ThunkDispatch<UserData, unknown, UnknownAction>;
  readonly getState: () => UserData;
}

/** Clears all data when the user changes: the next user must not see any of it. */
const forgetOnChange: Middleware<object, { auth: { user: { id: string } | null } }> = (store) => (next) => (action) => {
  const before = store.getState().auth.user?.id;
  const result = next(action);
  if (before && before !== store.getState().auth.user?.id) {
    store.dispatch(api.util.resetApiState());
    store.dispatch(jobsForgotten());
  }
  return result;
};

const extended = new WeakSet<AppStore>();

/** Idempotent per store. */
export function addUserData(store: AppStore): UserStore {
  if (!extended.has(store)) {
    extended.add(store);
    store.slices.inject(jobsSlice).inject(api);
    // Slices take effect with the next action, and the middleware expects them from its first one.
    store.dispatch({ type: 'store/extended' });
    store.addMiddleware(forgetOnChange as Middleware, api.middleware as Middleware, readyWatch as Middleware);
    store.dispatch({ type: 'store/extended' });
    setupListeners(store.dispatch);
  }
  return store as unknown as UserStore;
}
