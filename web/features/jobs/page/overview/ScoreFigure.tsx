import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../../../src/http/contract/jobs.ts';
import { wholeScore } from '../../../../../src/model/scores.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { ScoreRing } from '../../../../ui/ScoreRing.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { scoreWord } from '../../../../ui/scoreWord.ts';
import { RelativeTime } from '../../../../ui/text/RelativeTime.tsx';
import { changeOf, formulaChanged, runsOf, useListRunsQuery } from '../runsApi.ts';
import { TO_ROWS } from '../toRows.ts';

interface ScoreFigureProps {
  job: JobView;
  score: number;
  /** How it is calculated, in short; null until known, '' if it cannot be. */
  sum: string | null;
  /** Id of the part that explains it. */
  explained: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** The score with its word, its place on the scale, and the change since the last run. */
export function ScoreFigure({ job, score, sum, explained, isOpen, onToggle }: ScoreFigureProps) {
  return (
    <section aria-label="Score" className="min-w-0">
      <div className="flex items-center gap-2">
        <ScoreRing score={score} size={40} />
        <div className="min-w-0">
          <p className="text-lg leading-5 font-semibold text-strong">{scoreWord(score)}</p>
          {sum === null && <Skeleton className="h-6 w-28" />}
          {sum && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? explained : undefined}
              onClick={onToggle}
              title="How the score is calculated"
              className="-mx-1.5 -my-1 flex min-h-8 items-center gap-0.5 rounded-control px-1.5 text-left text-xs text-muted tabular-nums hover:bg-inset pointer-coarse:min-h-11"
            >
              <span>
                <span className="sr-only">How the score is calculated:</span> {sum}
              </span>
              <ChevronDown aria-hidden="true" size={12} className={clsx('shrink-0', isOpen && 'rotate-180')} />
            </button>
          )}
        </div>
      </div>
      <Scale score={wholeScore(score)} />
      <p className="flex min-h-8 items-center text-xs text-muted">{job.completed_at && <Change job={job} />}</p>
    </section>
  );
}

/** From 0 to 100, with the bounds of its three bands. */
function Scale({ score }: { score: number }) {
  return (
    <div aria-hidden="true" className="mt-0.5 flex items-center gap-1.5 text-xs leading-4 text-muted tabular-nums">
      0
      <span className="relative flex h-1.5 flex-1 gap-px">
        <span className="w-1/2 rounded-l-full bg-bad-line" />
        <span className="w-2/5 bg-attention-line" />
        <span className="w-1/10 rounded-r-full bg-good-line" />
        <span
          className="absolute -top-1 h-3.5 w-1 -translate-x-1/2 rounded-full bg-strong ring-2 ring-card"
          style={{ left: `${score}%` }}
        />
      </span>
      100
    </div>
  );
}

/** Shown only for comparable scores; why others are not is said below the head. */
function Change({ job }: { job: JobView }) {
  const { data } = useListRunsQuery(runsOf(job));
  if (!data) return null;
  const change = formulaChanged(data, job.id) ? null : changeOf(data, job.id);
  if (!change) {
    if (!data.runs.some((run) => run.jobId !== job.id)) return 'First run of this site';
    return (
      <Link
        {...TO_ROWS}
        to={jobPath(job.id, { tab: 'compare' })}
        className="inline-flex min-h-8 items-center underline-offset-2 hover:underline pointer-coarse:min-h-11"
      >
        No comparable run
      </Link>
    );
  }
  const { points, run } = change;
  const Icon = points > 0 ? ArrowUp : ArrowDown;
  return (
    <Link
      {...TO_ROWS}
      to={jobPath(job.id, { tab: 'compare', with: run.jobId })}
      className={clsx(
        'inline-flex min-h-8 items-center gap-1 underline-offset-2 hover:underline pointer-coarse:min-h-11',
        points > 0 && 'text-good',
        points < 0 && 'text-bad',
      )}
    >
      {points !== 0 && <Icon aria-hidden="true" size={12} className="shrink-0" />}
      <span className="tabular-nums">
        <span aria-hidden="true">{points === 0 ? '±0' : Math.abs(points)}</span>
        <span className="sr-only">
          {points === 0 ? 'unchanged' : `${Math.abs(points)} ${points > 0 ? 'up' : 'down'}`}
        </span>{' '}
        since <RelativeTime iso={run.at} />
      </span>
    </Link>
  );
}
