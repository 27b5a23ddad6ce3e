import type { ReactNode } from 'react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { textOf } from '../../../api/failure.ts';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useGetFileQuery } from '../jobsApi.ts';

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
  // A preview shows what the first action items fix, so it grows with them.
  const version = job.access === 'preview' ? `${job.action_generation_status} ${job.action_count}` : '';
  const { data, error, isFetching, refetch } = useGetFileQuery({ jobId: job.id, name, version }, { skip: !there });
  if (!there) return waiting;
  if (typeof data === 'string') return children(data);
  if (error) {
    const text = textOf(error, 'The server did not answer as expected.');
    return <ErrorPanel title="This part of the analysis could not be loaded" text={text} busy={isFetching} onRetry={() => void refetch()} />;
  }
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">Loading</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-12 w-full" />
      ))}
    </div>
  );
}
