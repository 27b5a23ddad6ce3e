import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { jobPath } from '../../../ui/paths.ts';
import { count, titleCase } from '../../../ui/wording.ts';
import type { FindingsFile, Score } from './findingsFile.ts';
import { SCORE_RULES } from './scoreRules.ts';

/** How the score comes about: what each cause cost, of what, and where its findings are. */
export function ScoreFormula({ job, file, score }: { job: JobView; file: FindingsFile; score: Score }) {
  const titles = new Map(file.checks.map((check) => [check.id, check.title]));
  const lost = score.categories.reduce((sum, category) => sum + category.lost, 0);
  return (
    <details className="group rounded-card border border-line bg-card">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-card px-4 py-2 hover:bg-inset [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
        <span>
          <span className="font-medium text-strong">How the score comes about</span>{' '}
          <span className="text-sm text-muted tabular-nums">
            100 − {points(lost)} = {points(Math.max(0, 100 - lost))}
            {score.limits.length > 0 && `, held at ${score.value}`}
          </span>
        </span>
      </summary>
      <div className="grid gap-6 border-t border-line p-4 lg:grid-cols-[260px_minmax(0,1fr)]">
        <div>
          <ul className="space-y-2">
            {score.categories.map((category) => (
              <li key={category.category}>
                <Link
                  to={jobPath(job.id, { tab: 'findings', category: category.category })}
                  className="flex justify-between gap-2 text-sm underline-offset-2 hover:underline"
                >
                  <span>{titleCase(category.category)}</span>
                  <span className="text-muted tabular-nums">
                    −{points(category.lost)} of {category.cap}
                  </span>
                </Link>
                <progress max={category.cap} value={category.lost} aria-label={`${titleCase(category.category)}: points lost`} className="mt-1 text-bad" />
              </li>
            ))}
          </ul>
          {score.limits.map((limit) => (
            <p key={limit.reason} className="mt-3 text-sm">
              At most {limit.cap}: {limit.reason}.
            </p>
          ))}
          <p className="mt-4 text-sm text-muted">{formulaText(score)}</p>
        </div>
        <Deductions job={job} score={score} titles={titles} />
      </div>
    </details>
  );
}

function Deductions({ job, score, titles }: { job: JobView; score: Score; titles: ReadonlyMap<string, string> }) {
  if (score.deductions.length === 0) return <p className="text-muted">Nothing was deducted.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="max-h-96 overflow-auto" aria-label="Deductions" tabIndex={0}>
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-card text-muted">
          <tr>
            <th className="py-1 pr-3 font-normal">Cause</th>
            <th className="py-1 pr-3 text-right font-normal">Pages</th>
            <th className="py-1 text-right font-normal">Points</th>
          </tr>
        </thead>
        <tbody>
          {score.deductions.map((deduction) => {
            const title = titles.get(deduction.checkId);
            return (
              <tr key={deduction.checkId} className="border-t border-line">
                <td className="py-1.5 pr-3">
                  {title ? (
                    <Link to={jobPath(job.id, { tab: 'findings', cause: deduction.checkId })} className="text-accent underline-offset-2 hover:underline">
                      {title}
                    </Link>
                  ) : (
                    titleCase(deduction.checkId)
                  )}
                </td>
                <td className="py-1.5 pr-3 text-right text-muted tabular-nums">{shareText(deduction)}</td>
                <td className="py-1.5 text-right tabular-nums">−{points(deduction.points)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const points = (number: number): string => (Math.round(number * 10) / 10).toString();

function shareText({ failed, looked, base = looked }: Score['deductions'][number]): string {
  if (base === 1) return 'site or only page';
  return base === looked ? `${failed} of ${looked}` : `${failed} of ${looked}, counted as of ${base}`;
}

function formulaText({ pages }: Score): string {
  const { high, medium, low, leastShare } = SCORE_RULES;
  return [
    `Each cause costs its weight (high ${high}, medium ${medium}, low ${low}; a few weigh more) times the share of pages with the fault, and a tenth (${leastShare}) of it at least.`,
    `Where it was looked for on few pages, the share is taken of half of the ${count(pages, 'HTML page')}.`,
    'A category never costs more than its maximum, and hints cost nothing.',
    'Scores can be compared only where the same checks looked at the same pages.',
  ].join(' ');
}
