import { Link } from 'react-router-dom';
import type { ScoreView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { jobPath } from '../../../ui/paths.ts';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { count } from '../../../ui/text/wording.ts';
import { points } from './points.ts';
import { heldBy, isFirstFormula } from './scoreSums.ts';
import { TO_ROWS } from './toRows.ts';

interface ScoreFormulaProps {
  id: string;
  job: JobView;
  score: ScoreView;
}

/** How the score came about: what each issue costs, with links to its findings. */
export function ScoreFormula({ id, job, score }: ScoreFormulaProps) {
  const notHeld = isFirstFormula(score) && heldBy(score).length === 0 ? score.limits : [];
  return (
    <section id={id} aria-label="How the score is calculated" className="border-t border-line p-4">
      <div className="grid gap-6 lg:grid-cols-[300px_minmax(0,1fr)]">
        <div className="space-y-3 text-sm text-muted">
          <h2 className="text-base">How the score is calculated</h2>
          {notHeld.map(({ cap, reason }) => (
            <p key={reason}>
              Capped at {cap}: {reason}.
            </p>
          ))}
          <p>{formulaText(score)}</p>
          {score.foundations && <Foundations foundations={score.foundations} />}
        </div>
        <Deductions job={job} score={score} />
      </div>
    </section>
  );
}

/** What is not search has a grade of its own. */
function Foundations({
  foundations: { grade, looked, failed },
}: {
  foundations: NonNullable<ScoreView['foundations']>;
}) {
  return (
    <p>
      <span className="font-medium text-strong">Foundations: {grade}</span>{' '}
      {failed === 0 ? 'Nothing to improve' : `${failed} of ${count(looked, 'check')} found something optional`} in
      sharing, measurement, security headers and AI crawlers. Not part of the score.
    </p>
  );
}

function Deductions({ job, score }: { job: JobView; score: ScoreView }) {
  if (score.deductions.length === 0) return <p className="text-muted">No deductions.</p>;
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
  return base === looked ? share : `${share}, weighted as ${failed} of ${base}`;
}

function capsText({ categories }: ScoreView): string {
  const caps = categories.flatMap(({ category, cap }) =>
    cap === undefined ? [] : [`${categoryName(category)} ${cap}`],
  );
  return caps.length > 0 ? ` (${caps.join(', ')})` : '';
}

function formulaText(score: ScoreView): string {
  if (isFirstFormula(score))
    return `This audit was scored with an earlier formula: by weight and share of pages, with a maximum for each category${capsText(score)}. Its score can’t be compared with newer ones.`;
  return [
    'The share of content pages that search engines may index is a factor of the score, almost all of it for Google.',
    'Every other issue deducts its weight × the share of content pages affected, but never less than a minimum by severity. Optional issues deduct nothing.',
    'All deductions and the score add up to 100.',
    'Scores are comparable only between audits of the same site with the same checks and pages.',
  ].join(' ');
}
