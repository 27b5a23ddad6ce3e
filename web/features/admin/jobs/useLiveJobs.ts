import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useContext, useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import type { AdminJobView } from '../../../../src/http/contract/admin/jobs.ts';
import { callEach } from '../../../api/listeners.ts';
import { LiveChannels, type RowEvent } from '../../../api/live.ts';
import { adminJobsApi, type JobsRequest } from './adminJobsApi.ts';
import { applyRow, rowOf } from './liveRows.ts';

type ApiState = Parameters<ReturnType<typeof adminJobsApi.endpoints.getAnyJob.select>>[0];

/** Applies changed rows at once. `position`: log position of the loaded list. */
export function useLiveJobs(asked: JobsRequest, position: string): void {
  const dispatch = useDispatch<ThunkDispatch<ApiState, unknown, UnknownAction>>();
  const { status, sort, order, search, limit } = asked;
  const reload = (): void => void dispatch(adminJobsApi.util.invalidateTags(['AdminJobs']));
  useChannel(position, reload, (events) => {
    const shown: JobsRequest = { status, sort, order, search, limit };
    dispatch(
      adminJobsApi.util.updateQueryData('listAllJobs', shown, ({ pages }) =>
        callEach(events, (event) => applyRow(pages, event, shown)),
      ),
    );
  });
}

/** Keeps an open job in sync with its row, and refetches server-only details when its status changes. */
export function useLiveJob({ id, status, position }: Pick<AdminJobView, 'id' | 'status' | 'position'>): void {
  const dispatch = useDispatch<ThunkDispatch<ApiState, unknown, UnknownAction>>();
  const reload = (): void => void dispatch(adminJobsApi.util.invalidateTags(['AdminJob']));
  useChannel(position, reload, (events) => {
    const rows = events.map(rowOf).filter((row) => row?.id === id);
    const isGone = events.some(({ eventType, old }) => eventType === 'DELETE' && old?.id === id);
    if (isGone || rows.some((row) => row?.status !== status)) return reload();
    if (rows.length === 0) return;
    dispatch(
      adminJobsApi.util.updateQueryData('getAnyJob', id, ({ job }) => {
        // A delayed row may be older than what is shown.
        for (const row of rows) if (row && row.position >= job.position) Object.assign(job, row);
      }),
    );
  });
}

function useChannel(position: string, reload: () => void, apply: (events: readonly RowEvent[]) => void): void {
  const channels = useContext(LiveChannels);
  const latest = useRef({ position, reload, apply });
  useEffect(() => {
    latest.current = { position, reload, apply };
  });
  useEffect(
    () =>
      channels.follow({
        name: 'admin:jobs',
        position: async () => latest.current.position,
        apply: (events) => latest.current.apply(events),
        reload: () => latest.current.reload(),
      }),
    [channels],
  );
}
