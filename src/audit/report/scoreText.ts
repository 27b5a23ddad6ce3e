/** Explains in words how the score is calculated. */
import { count, plural } from '../checks/evidence.ts';
import type { Deduction, Score } from '../score.ts';
import { IMPACT_WEIGHTS, MIN_SHARE, WEIGHTS } from '../weights.ts';

/** The formula with its numbers, and which scores are comparable. Contains no text from the site. */
export function formulaText({ pages }: Pick<Score, 'pages'>): string {
  const { high, medium, low } = IMPACT_WEIGHTS;
  const heavier = Object.entries(WEIGHTS).map(([checkId, weight]) => `${checkId} ${weight}`);
  return [
    `Each issue costs its weight times the share of pages with it, and a tenth (${MIN_SHARE}) of its weight at least.`,
    `The weight follows from the impact: high ${high}, medium ${medium}, low ${low} (${heavier.join(', ')}).`,
    `The share is taken of the pages that the cause was looked for on, or of half of the ${plural(pages, 'HTML page')} where those are more; what concerns the whole site counts in full.`,
    'A category never costs more than its maximum, hints cost nothing, and only HTML pages count.',
    'The score can be compared only with that of an audit which ran the same checks on the same pages of the same site.',
  ].join(' ');
}

/** `3 of 12`, or words if it concerns the whole site or its only page. */
export function shareText({
  failed,
  looked,
  base = looked,
}: Pick<Deduction, 'failed' | 'looked'> & { readonly base?: number }): string {
  if (base === 1) return 'whole site';
  return base === looked
    ? `${count(failed)} of ${count(looked)}`
    : `${count(failed)} of ${count(looked)} (minimum base ${count(base)})`;
}
