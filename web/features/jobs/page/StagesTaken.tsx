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
    <div>
      <h2 className="text-base">
        Audit timeline{' '}
        <span className="text-sm font-normal text-muted tabular-nums">
          {done} of {job.stages.length} stages
          {seconds === null ? '' : ` in ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`}
        </span>
      </h2>
      <StageList stages={job.stages} />
    </div>
  );
}
