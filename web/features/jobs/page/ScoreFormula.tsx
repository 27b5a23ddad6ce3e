import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { CauseView, ScoreView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { FIRST_FORMULA } from '../../../../src/model/scores.ts';
import { shortDuration } from '../../../../src/model/wording.ts';
import { Card } from '../../../ui/Card.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { points } from './points.ts';
import { reachText } from './reachText.ts';
import { TO_ROWS } from './toRows.ts';

/** Shown without expanding. */
const SHOWN = 3;

interface ScoreFormulaProps {
  job: JobView;
  score: ScoreView;
  /** By rank. */
  causes: readonly CauseView[];
}

/** What to fix first, then how the score came about: what each issue costs, with links to its findings. */
export function ScoreFormula({ job, score, causes }: ScoreFormulaProps) {
  const lost = score.categories.reduce((sum, category) => sum + category.lost, 0);
  const isFirst = (score.formula ?? FIRST_FORMULA) === FIRST_FORMULA;
  // Only the first formula capped what was left.
  const held = isFirst && score.value < Math.round(100 - lost);
  const first = causes.filter(({ optional }) => !optional).slice(0, SHOWN);
  return (
    <Card title={score.deductions.length > 0 ? 'Fix first' : 'Nothing costs points'}>
      {first.length > 0 && (
        <ol aria-label="Fix first" className="grid gap-2 sm:grid-cols-3">
          {first.map((cause) => (
            <First key={cause.checkId} job={job} cause={cause} />
          ))}
        </ol>
      )}
      {score.limits.map((limit) =>
        isFirst ? (
          held && <Limit key={limit.reason} limit={limit} />
        ) : (
          <Gate key={limit.reason} reason={limit.reason} />
        ),
      )}
      {score.foundations && <Foundations foundations={score.foundations} />}
      <details className="group -mx-4 mt-4 -mb-4 border-t border-line">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-b-card px-4 py-2 hover:bg-inset [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
          <span>
            <span className="font-medium text-strong">How the score is calculated</span>{' '}
            <span className="text-sm text-muted tabular-nums">
              100 − {points(lost)} = {points(Math.max(0, 100 - lost))}
              {held && `, held at ${score.value}`}
            </span>
          </span>
        </summary>
        <div className="grid gap-6 border-t border-line p-4 lg:grid-cols-[260px_minmax(0,1fr)]">
          <div>
            <Categories job={job} score={score} />
            {isFirst && !held && score.limits.map((limit) => <Limit key={limit.reason} limit={limit} />)}
            <p className="mt-4 text-sm text-muted">{formulaText(score)}</p>
          </div>
          <Deductions job={job} score={score} />
        </div>
      </details>
    </Card>
  );
}

function First({ job, cause }: { job: JobView; cause: CauseView }) {
  return (
    <li>
      <Link
        {...TO_ROWS}
        to={jobPath(job.id, { tab: 'findings', cause: cause.checkId })}
        className="flex h-full gap-2 rounded-control border border-line px-3 py-2 hover:bg-inset"
      >
        <span className="min-w-9 text-lg font-semibold text-strong tabular-nums">−{points(cause.points)}</span>
        <span className="min-w-0">
          <span className="block font-medium text-strong">{cause.title}</span>
          <span className="block text-sm text-muted tabular-nums">
            {reachText(cause)} · about {shortDuration(cause.minutes)}
          </span>
        </span>
      </Link>
    </li>
  );
}

function Gate({ reason }: { reason: string }) {
  return <p className="mt-3 font-medium text-strong">{reason}. Fix that first.</p>;
}

/** What is not search has a grade of its own. */
function Foundations({
  foundations: { grade, looked, failed },
}: {
  foundations: NonNullable<ScoreView['foundations']>;
}) {
  return (
    <p className="mt-3 text-sm text-muted">
      <span className="font-medium text-strong">Foundations: {grade}</span>{' '}
      {failed === 0 ? 'Nothing to add' : `${failed} of ${count(looked, 'check')} found something optional`} in sharing,
      measurement, security headers and AI crawlers. Not part of the score.
    </p>
  );
}

function Limit({ limit }: { limit: ScoreView['limits'][number] }) {
  return (
    <p className="mt-3 text-sm">
      At most {limit.cap}: {limit.reason}.
    </p>
  );
}

/** Sharing and tools cost nothing since the second formula. */
const isScored =
  ({ formula = FIRST_FORMULA }: ScoreView) =>
  ({ category }: ScoreView['categories'][number]): boolean =>
    formula === FIRST_FORMULA || (category !== 'social' && category !== 'tools');

function Categories({ job, score }: { job: JobView; score: ScoreView }) {
  return (
    <ul aria-label="Points lost by category" className="space-y-2">
      {score.categories.filter(isScored(score)).map((category) => (
        <li key={category.category}>
          <Link
            {...TO_ROWS}
            to={jobPath(job.id, { tab: 'findings', category: category.category })}
            className="flex items-center justify-between gap-2 text-sm underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            <span>{titleCase(category.category)}</span>
            <span className="text-muted tabular-nums">
              −{points(category.lost)}
              {category.cap !== undefined && ` of ${category.cap}`}
            </span>
          </Link>
          <progress
            max={category.cap ?? 100}
            value={category.lost}
            aria-label={`${titleCase(category.category)}: points lost`}
            className="mt-1 text-bad"
          />
        </li>
      ))}
    </ul>
  );
}

function Deductions({ job, score }: { job: JobView; score: ScoreView }) {
  if (score.deductions.length === 0) return <p className="text-muted">Nothing was deducted.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="max-h-96 overflow-auto" aria-label="Deductions" tabIndex={0}>
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-card text-muted">
          <tr>
            <th className="py-1 pr-3 font-normal">Issue</th>
            <th className="py-1 pr-3 text-right font-normal">Pages</th>
            <th className="py-1 text-right font-normal">Points</th>
          </tr>
        </thead>
        <tbody>
          {score.deductions.map((deduction) => (
            <tr key={deduction.checkId} className="border-t border-line">
              <td className="py-1.5 pr-3">
                {deduction.open ? (
                  <Link
                    {...TO_ROWS}
                    to={jobPath(job.id, { tab: 'findings', cause: deduction.checkId })}
                    className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
                  >
                    {deduction.title}
                  </Link>
                ) : (
                  deduction.title
                )}
              </td>
              <td className="py-1.5 pr-3 text-right text-muted tabular-nums">{shareText(deduction)}</td>
              <td className="py-1.5 text-right tabular-nums">−{points(deduction.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function shareText({ failed, looked, base = looked, wholeSite }: ScoreView['deductions'][number]): string {
  if (wholeSite) return 'Whole site';
  // What is said of pages that are not meant for search costs the least there is.
  if (failed === 0) return 'Other pages';
  const share = `${failed} of ${looked}`;
  return base === looked ? share : `${share}, counted out of ${base}`;
}

function formulaText({ formula = FIRST_FORMULA }: ScoreView): string {
  if (formula === FIRST_FORMULA)
    return 'This audit was scored with an earlier formula: by weight and share of pages, with a maximum for each category. Its score can’t be compared with newer ones.';
  return [
    'First comes what keeps pages from being found: the share of content pages that search engines may list is a factor of the score, nearly all of it Google’s.',
    'Every other issue costs its weight times the share of content pages with it. What is optional costs nothing.',
    'The points of all issues and the score add up to 100.',
    'Scores can be compared only where the same checks looked at the same pages.',
  ].join(' ');
}
