import { Link } from 'react-router-dom';
import type { CauseView, ScoreView } from '../../../../../src/http/contract/findings.ts';
import { shortDuration } from '../../../../../src/model/wording.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { InlineText } from '../../../../ui/text/InlineText.tsx';
import { count } from '../../../../ui/text/wording.ts';
import { points } from '../points.ts';
import { heldBy, isFirstFormula } from '../scoreSums.ts';
import { TO_ROWS } from '../toRows.ts';

const SHOWN = 3;

interface FixFirstProps {
  jobId: string;
  score: ScoreView;
  /** By rank. */
  causes: readonly CauseView[];
  /** Whether a preview holds some back. */
  cut: boolean;
}

/** The first issues by rank, each in a sentence: what it is, what fixing it brings, and how long it takes. */
export function FixFirst({ jobId, score, causes, cut }: FixFirstProps) {
  const first = causes.filter(({ optional }) => !optional).slice(0, SHOWN);
  const isFine = score.deductions.length === 0;
  const note = isFine
    ? restText(causes.length)
    : first.length === 0 && cut
      ? 'not included in this preview.'
      : limitText(score);
  return (
    <section
      aria-label={isFine ? 'Nothing lowers the score' : 'What to fix first'}
      className="min-w-0 md:grid md:grid-cols-[168px_minmax(0,1fr)] md:gap-x-5"
    >
      <div className="text-xs leading-[1.4]">
        <h2 className="inline text-sm">
          {isFine ? 'Nothing lowers the score' : 'Fix first'}
          {note && ':'}
        </h2>{' '}
        {score.limits.length > 0 && !isFirstFormula(score) ? (
          <Link
            {...TO_ROWS}
            to={jobPath(jobId, { tab: 'pages', show: 'content' })}
            title={`Show the ${count(score.pages, 'content page')}`}
            className="underline-offset-2 hover:underline pointer-coarse:touch-line"
          >
            {note}
          </Link>
        ) : (
          note
        )}
      </div>
      {first.length > 0 && (
        <ol aria-label="Fix first" className="-mx-2 -mt-0.5 grid md:grid-cols-3 md:gap-x-1">
          {first.map((cause) => (
            <First key={cause.checkId} jobId={jobId} cause={cause} />
          ))}
        </ol>
      )}
    </section>
  );
}

const restText = (optional: number): string =>
  optional === 0 ? 'no findings.' : `${count(optional, 'optional issue')} below.`;

/** What holds the score down; '' if nothing does. */
function limitText(score: ScoreView): string {
  if (isFirstFormula(score))
    return heldBy(score)
      .map(({ cap, reason }) => `Capped at ${cap}: ${reason}.`)
      .join(' ');
  return score.limits.map(({ reason }) => `${reason}. Fix that first.`).join(' ');
}

function First({ jobId, cause }: { jobId: string; cause: CauseView }) {
  return (
    <li>
      <Link
        {...TO_ROWS}
        to={jobPath(jobId, { tab: 'findings', cause: cause.checkId })}
        className="block h-full rounded-control px-2 py-0.5 text-sm leading-[1.4] hover:bg-inset pointer-coarse:min-h-11 pointer-coarse:py-2"
      >
        <span className="font-medium text-strong">{cause.title}.</span> <InlineText text={cause.gain} />{' '}
        <span className="whitespace-nowrap text-muted tabular-nums">
          −{count(Number(points(cause.points)), 'point')} · {shortDuration(cause.minutes)}
        </span>
      </Link>
    </li>
  );
}
