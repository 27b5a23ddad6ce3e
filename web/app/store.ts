/**
 * The store. It starts with what a visitor needs; the server's data (RTK Query) is added on log-in, so that the log-in
 * page need not download it.
 */
import {
  combineSlices,
  configureStore,
  createDynamicMiddleware,
  type StoreEnhancer,
  type WithSlice,
} from '@reduxjs/toolkit';
import type { api } from '../api/api.ts';
import { connectionSlice } from '../api/connection.ts';
import { isolated } from '../api/listeners.ts';
import { systemSlice } from '../api/system.ts';
import { authSlice } from '../features/auth/authSlice.ts';
import type { jobsSlice } from '../features/jobs/jobsSlice.ts';

/** The part added on log-in. */
export interface UserData extends WithSlice<typeof api>, WithSlice<typeof jobsSlice> {}

export function createStore() {
  const slices = combineSlices(systemSlice, authSlice, connectionSlice).withLazyLoadedSlices<UserData>();
  const later = createDynamicMiddleware();
  const store = configureStore({
    reducer: slices,
    // These development checks walk the whole cache on every action; with a thousand jobs they would dominate any
    // measurement.
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }).concat(later.middleware),
    // Responses are rendered in a task of their own, not in the frame that then lays them out.
    enhancers: (defaults) => defaults({ autoBatch: { type: 'timer', timeout: 10 } }).prepend(isolatedListeners),
  });
  return Object.assign(store, { slices, addMiddleware: later.addMiddleware });
}

/** Redux itself skips the listeners after one that throws. */
const isolatedListeners: StoreEnhancer = (next) => (reducer, state) => {
  const store = next(reducer, state);
  return { ...store, subscribe: (listener) => store.subscribe(isolated(listener)) };
};

export type AppStore = ReturnType<typeof createStore>;
