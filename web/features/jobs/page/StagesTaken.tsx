import { ChevronRight } from 'lucide-react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { StageList } from '../../../ui/jobs/StageList.tsx';

/** The timeline of a job that has ended: the stages it reached and how long each took. */
export function StagesTaken({ job }: { job: JobView }) {
  const seconds =
    job.started_at && job.completed_at
      ? Math.round((Date.parse(job.completed_at) - Date.parse(job.started_at)) / 1000)
      : null;
  const done = job.stages.filter((stage) => stage.state === 'done').length;
  return (
    <details className="group panel">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-card px-4 py-2 hover:bg-inset [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
        <span>
          <span className="font-medium text-strong">Audit timeline</span>{' '}
          <span className="text-sm text-muted tabular-nums">
            {done} of {job.stages.length} stages
            {seconds === null ? '' : ` in ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`}
          </span>
        </span>
      </summary>
      <div className="border-t border-line px-4 pb-4">
        <StageList stages={job.stages} />
      </div>
    </details>
  );
}
