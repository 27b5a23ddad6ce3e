import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '../api/api.ts';
import { connectionSlice } from '../api/connection.ts';
import { authSlice } from '../features/auth/authSlice.ts';
import { jobsForgotten, jobsSlice } from '../features/jobs/jobsSlice.ts';
import { readyWatch } from '../features/jobs/readyWatch.ts';

/** When the user goes, everything that was theirs goes too: nothing may greet the next one. */
const forgetOnChange: Middleware<object, { auth: { user: { id: string } | null } }> = (store) => (next) => (action) => {
  const before = store.getState().auth.user?.id;
  const result = next(action);
  if (before && before !== store.getState().auth.user?.id) {
    store.dispatch(api.util.resetApiState());
    store.dispatch(jobsForgotten());
  }
  return result;
};

export function createStore() {
  const store = configureStore({
    reducer: { api: api.reducer, auth: authSlice.reducer, connection: connectionSlice.reducer, jobs: jobsSlice.reducer },
    // The checks of development walk the whole cache on every action: with a thousand jobs that is what one would measure.
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }).concat(api.middleware, forgetOnChange, readyWatch),
  });
  setupListeners(store.dispatch);
  return store;
}

export type AppStore = ReturnType<typeof createStore>;
