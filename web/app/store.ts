/**
 * The store. What a visitor needs is in it from the start; the server's data (RTK Query) is added when somebody is signed in, so that the
 * log-in page need not download it.
 */
import { combineSlices, configureStore, createDynamicMiddleware, type WithSlice } from '@reduxjs/toolkit';
import type { api } from '../api/api.ts';
import { connectionSlice } from '../api/connection.ts';
import { systemSlice } from '../api/system.ts';
import { authSlice } from '../features/auth/authSlice.ts';
import type { jobsSlice } from '../features/jobs/jobsSlice.ts';

/** The part that comes later. */
export interface UserData extends WithSlice<typeof api>, WithSlice<typeof jobsSlice> {}

export function createStore() {
  const slices = combineSlices(systemSlice, authSlice, connectionSlice).withLazyLoadedSlices<UserData>();
  const later = createDynamicMiddleware();
  const store = configureStore({
    reducer: slices,
    // The checks of development walk the whole cache on every action: with a thousand jobs that is what one would measure.
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }).concat(later.middleware),
    // What the server answered is drawn in a task of its own, not within the frame that then lays it out.
    enhancers: (defaults) => defaults({ autoBatch: { type: 'timer', timeout: 10 } }),
  });
  return Object.assign(store, { slices, addMiddleware: later.addMiddleware });
}

export type AppStore = ReturnType<typeof createStore>;
