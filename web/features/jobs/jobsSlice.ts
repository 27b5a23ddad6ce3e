/** UI state about jobs, apart from the jobs themselves. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ApiFailure } from '../../api/failure.ts';

export interface ReadyJob {
  readonly jobId: string;
  readonly url: string;
  readonly host: string;
  readonly actionCount: number;
}

export interface CreditsRefusal {
  readonly required: number;
  readonly available: number;
  /** Number of items that an unlock would have shown; null for a submission. */
  readonly unlocks: number | null;
}

export interface JobsState {
  /** Reports that became ready while the app was open and were not viewed yet, newest last. */
  readonly ready: readonly ReadyJob[];
  /** Submitted in this tab: polled more often while there is no socket. */
  readonly started: readonly string[];
  readonly refusal: CreditsRefusal | null;
}

const INITIAL: JobsState = { ready: [], started: [], refusal: null };

export const jobsSlice = createSlice({
  name: 'jobs',
  initialState: INITIAL,
  reducers: {
    jobStarted: (state, { payload }: PayloadAction<readonly string[]>) => {
      state.started.push(...payload);
    },
    actionsReady: (state, { payload }: PayloadAction<readonly ReadyJob[]>) => {
      state.ready.push(...payload.filter((job) => !state.ready.some((held) => held.jobId === job.jobId)));
    },
    readyDismissed: (state) => {
      state.ready = [];
    },
    creditsRefused: (state, { payload }: PayloadAction<ApiFailure & { unlocks?: number }>) => {
      const { creditsRequired: required = 1, creditsAvailable: available = 0, unlocks = null } = payload;
      state.refusal = { required, available, unlocks };
    },
    refusalDismissed: (state) => {
      state.refusal = null;
    },
    jobsForgotten: () => INITIAL,
  },
  selectors: {
    selectReady: (state) => state.ready,
    selectStarted: (state) => state.started,
    selectRefusal: (state) => state.refusal,
  },
});

export const { jobStarted, actionsReady, readyDismissed, creditsRefused, refusalDismissed, jobsForgotten } =
  jobsSlice.actions;
export const { selectReady, selectStarted, selectRefusal } = jobsSlice.selectors;
