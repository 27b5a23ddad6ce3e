import type { ReactNode } from 'react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { useGetFileQuery } from '../jobsApi.ts';
import { AuditPart } from './AuditPart.tsx';
import { rowsOf } from './reportApi.ts';

interface JobFileProps {
  job: JobView;
  name: string;
  /** Shown until the file exists. */
  waiting: ReactNode;
  children: (content: string) => ReactNode;
}

/** One of a job's files, with its loading and error states. */
export function JobFile({ job, name, waiting, children }: JobFileProps) {
  const there = job.files.includes(name);
  // Only this file's data, never that of the previous one.
  const query = useGetFileQuery({ ...rowsOf(job), name }, { skip: !there });
  if (!there) return waiting;
  return <AuditPart query={{ ...query, data: query.currentData }}>{children}</AuditPart>;
}
