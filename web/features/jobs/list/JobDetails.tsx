import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { pagesText, statusLabel } from '../../../ui/jobs/jobStatus.ts';
import { StageList } from '../../../ui/jobs/StageList.tsx';
import { etaText } from '../../../ui/text/wording.ts';
import { CancelAudit } from '../CancelAudit.tsx';
import { useSteadyEta } from '../steadyEta.ts';
import { usePlace } from '../usePlace.ts';
import { QueuePlace } from './QueuePlace.tsx';

interface JobDetailsProps {
  job: JobView;
  id: string;
}

/** Progress of a running audit, and the button that cancels it. */
export function JobDetails({ job: latest, id }: JobDetailsProps) {
  const job = useSteadyEta(latest);
  const ahead = usePlace(job);
  const facts = [
    `${job.progress}%`,
    pagesText(job),
    job.reason ?? '',
    job.eta ? `${etaText(job.eta)} to go` : '',
  ].filter(Boolean);
  return (
    <section id={id} aria-label={`Progress of ${job.host}`} className="rounded-control border border-line bg-page p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-strong">{statusLabel(job.status)}</p>
        <p className="text-sm text-muted tabular-nums">
          {ahead === null ? facts.join(' · ') : <QueuePlace job={job} ahead={ahead} />}
        </p>
      </div>
      <progress
        max={100}
        value={job.progress}
        aria-label={`Progress of ${job.host}`}
        aria-valuetext={`${job.progress}%, ${statusLabel(job.status)}`}
        className="mt-2"
      />
      <StageList stages={job.stages} />
      {job.can.cancel && <CancelAudit job={job} className="mt-3 -ml-2" />}
    </section>
  );
}
