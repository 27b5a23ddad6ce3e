import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { groupOf } from '../../../src/model/jobs.ts';
import { selectOffline } from '../../api/connection.ts';
import { jobsApi, useListJobsQuery } from './jobsApi.ts';
import { type JobsState, selectStarted } from './jobsSlice.ts';
import { isWaiting } from './queue.ts';

const ACTIVE_MS = 5000;
const STARTED_MS = 2000;
/** Polling interval for start estimates: they depend on other jobs, so the socket does not report their changes. */
const QUEUE_MS = 60_000;

/**
 * Without a socket, running jobs are polled: all of them every 5 s, those started here every 2 s. Otherwise polls every
 * minute while any are queued. Not while hidden.
 */
export function usePolling(): void {
  const offline = useSelector(selectOffline);
  const { data } = useListJobsQuery();
  const store = useStore<{ jobs: JobsState }>();
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const jobs = data?.jobs;
  const active = Object.values(jobs ?? {})
    .filter((job) => groupOf(job.status) === 'processing')
    .map((job) => job.id)
    .sort()
    .join(' ');
  const waits = Object.values(jobs ?? {}).some(isWaiting);

  useEffect(() => {
    if (offline || !waits) return;
    const timer = setInterval(() => {
      if (!document.hidden)
        void dispatch(jobsApi.endpoints.listJobs.initiate(undefined, { forceRefetch: true, subscribe: false }));
    }, QUEUE_MS);
    return () => clearInterval(timer);
  }, [offline, waits, dispatch]);

  useEffect(() => {
    if (!offline || active === '') return;
    const ids = active.split(' ');
    const whenSeen = (work: () => void) => () => {
      if (!document.hidden) work();
    };
    const all = setInterval(
      whenSeen(
        () => void dispatch(jobsApi.endpoints.listJobs.initiate(undefined, { forceRefetch: true, subscribe: false })),
      ),
      ACTIVE_MS,
    );
    const started = setInterval(
      whenSeen(() => {
        const here = new Set(selectStarted(store.getState()));
        for (const id of ids)
          if (here.has(id))
            void dispatch(jobsApi.endpoints.getJob.initiate(id, { forceRefetch: true, subscribe: false }));
      }),
      STARTED_MS,
    );
    return () => {
      clearInterval(all);
      clearInterval(started);
    };
  }, [offline, active, dispatch, store]);
}
