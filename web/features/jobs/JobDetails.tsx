import { Check, Circle, CircleDot } from 'lucide-react';
import type { JobStage, JobView } from '../../../src/http/contract/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/Field.tsx';
import { etaText } from '../../ui/wording.ts';
import { pagesText, statusLabel } from './jobStatus.ts';
import { useCancelJobMutation } from './jobsApi.ts';

/** What an analysis under way is doing, and the button that stops it. */
export function JobDetails({ job, id }: { job: JobView; id: string }) {
  const [cancel, { isLoading, error }] = useCancelJobMutation();
  const facts = [`${job.progress} %`, pagesText(job), job.eta ? `${etaText(job.eta)} to go` : ''].filter(Boolean);
  return (
    <section id={id} aria-label={`Progress of ${job.host}`} className="rounded-control border border-line bg-page p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-strong">{statusLabel(job.status)}</p>
        <p className="text-sm text-muted tabular-nums">{facts.join(' · ')}</p>
      </div>
      <progress
        max={100}
        value={job.progress}
        aria-label={`Progress of ${job.host}`}
        aria-valuetext={`${job.progress} %, ${statusLabel(job.status)}`}
        className="mt-2"
      />
      <ol className="mt-4 grid gap-x-6 gap-y-1.5 sm:grid-cols-2 xl:grid-cols-4">
        {job.stages.map((stage) => (
          <Stage key={stage.step} stage={stage} />
        ))}
      </ol>
      {job.can.cancel && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button look="danger" busy={isLoading} onClick={() => void cancel(job.id)} className="-ml-2">
            Cancel analysis
          </Button>
          <span className="text-sm text-muted">It does not count against your allowance.</span>
          {error && <FieldError>{asFailure(error).message || 'The analysis could not be cancelled.'}</FieldError>}
        </div>
      )}
    </section>
  );
}

function Stage({ stage }: { stage: JobStage }) {
  const Icon = stage.state === 'done' ? Check : stage.state === 'running' ? CircleDot : Circle;
  const colour = stage.state === 'done' ? 'text-good' : stage.state === 'running' ? 'text-accent' : 'text-muted';
  const seconds = stage.started_at && stage.ended_at ? (Date.parse(stage.ended_at) - Date.parse(stage.started_at)) / 1000 : null;
  return (
    <li aria-current={stage.state === 'running' ? 'step' : undefined} className="flex items-center gap-2 text-sm">
      <Icon aria-hidden="true" size={14} strokeWidth={2.5} className={`shrink-0 ${colour}`} />
      <span className={stage.state === 'waiting' ? 'text-muted' : stage.state === 'running' ? 'font-medium text-strong' : 'text-normal'}>{stage.label}</span>
      <span className="sr-only">{stage.state}</span>
      {seconds !== null && <span className="text-xs text-muted tabular-nums">{seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s</span>}
    </li>
  );
}
