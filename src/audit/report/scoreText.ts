/** Explains in words how the score is calculated. */
import { FIRST_FORMULA } from '../../model/scores.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Deduction, Foundations, Score } from '../score.ts';
import { ENGINES, IMPACT_WEIGHTS } from '../weights.ts';

/** The formula with its numbers, and which scores are comparable. Contains no text from the site. */
export function formulaText({
  formula = FIRST_FORMULA,
  pages,
}: Pick<Score, 'pages'> & { readonly formula?: number | undefined }): string {
  if (formula === FIRST_FORMULA) return firstFormulaText(pages);
  const { high, medium, low } = IMPACT_WEIGHTS;
  const google = Math.round(100 * ENGINES[0].weight);
  return [
    `First comes what keeps content pages from being found: the share of them that search engines may list, Google counting ${google} % and all others ${100 - google} %, is a factor of the score.`,
    `Every other issue costs its weight times the share of content pages with it. The weight is ${high}, ${medium}, or ${low} points by how bad the fault is on a page, and more for the few that every visitor or search result shows.`,
    'Content pages are those meant for search, not carts, filters, archives or legal pages; the home page counts as a tenth of them at least. What is optional costs nothing. The points of all issues and the score add up to 100.',
    'The score can be compared only with that of an audit which ran the same checks on the same pages of the same site.',
  ].join(' ');
}

/** Scores of this formula are kept, and shown with it. */
function firstFormulaText(pages: number): string {
  return [
    'Each issue costs its weight times the share of pages with it, and a tenth (0.1) of its weight at least.',
    'The weight follows from the impact: high 8, medium 3, low 1 (https-missing 12, viewport-missing 12, organization-incomplete 4).',
    `The share is taken of the pages that the cause was looked for on, or of half of the ${plural(pages, 'HTML page')} where those are more; what concerns the whole site counts in full.`,
    'A category never costs more than its maximum, what is optional costs nothing, and only HTML pages count.',
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
  // What is said of pages that are not meant for search costs the least there is.
  if (failed === 0) return 'other pages';
  return base === looked
    ? `${count(failed)} of ${count(looked)}`
    : `${count(failed)} of ${count(looked)} (minimum base ${count(base)})`;
}

/** Sharing and measurement cost nothing since formula 2; a category that lost nothing by design is not listed. */
export function scoredCategories<C extends { readonly category: string; readonly lost: number }>({
  formula = FIRST_FORMULA,
  categories,
}: {
  readonly formula?: number | undefined;
  readonly categories: readonly C[];
}): readonly C[] {
  return formula === FIRST_FORMULA
    ? categories
    : categories.filter(({ category }) => category !== 'social' && category !== 'tools');
}

/** `Foundations: B. 3 of 12 checks …` */
export function foundationsText({ grade, looked, failed }: Foundations): string {
  const found = failed === 0 ? 'nothing to add' : `${count(failed)} of ${plural(looked, 'check')} found something`;
  return `Foundations (sharing, measurement, security headers, AI crawlers; not part of the score): grade ${grade}, ${found}.`;
}

export const isFirstFormula = ({ formula = FIRST_FORMULA }: { readonly formula?: number | undefined }): boolean =>
  formula === FIRST_FORMULA;
