import type { ReactNode } from 'react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { useGetFileQuery } from '../jobsApi.ts';
import { QueryState } from './QueryState.tsx';
import { rowsOf } from './reportApi.ts';

interface JobFileProps {
  job: JobView;
  name: string;
  /** Said while it is not there yet. */
  waiting: ReactNode;
  children: (content: string) => ReactNode;
}

/** One of a job's files, with what is shown before it is there and when it cannot be had. */
export function JobFile({ job, name, waiting, children }: JobFileProps) {
  const there = job.files.includes(name);
  // Of this file alone: what was held of another one is no part of it.
  const { currentData, error, isFetching, refetch } = useGetFileQuery({ ...rowsOf(job), name }, { skip: !there });
  if (!there) return waiting;
  return (
    <QueryState data={currentData} error={error} busy={isFetching} onRetry={() => void refetch()}>
      {children}
    </QueryState>
  );
}
