/** Explains in words how the score is calculated. */
import { FIRST_FORMULA } from '../../model/scores.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Deduction, Foundations, Score } from '../score.ts';
import { ENGINES, IMPACT_WEIGHTS, LEAST_POINTS } from '../weights.ts';

/** The formula with its numbers, and which scores are comparable. Contains no text from the site. */
export function formulaText({
  formula = FIRST_FORMULA,
  pages,
}: Pick<Score, 'pages'> & { readonly formula?: number | undefined }): string {
  if (formula === FIRST_FORMULA) return firstFormulaText(pages);
  const { high, medium, low } = IMPACT_WEIGHTS;
  const least = LEAST_POINTS;
  const google = Math.round(100 * ENGINES[0].weight);
  return [
    `The share of content pages that search engines may index is a factor of the score: Google counts ${google}%, all others ${100 - google}%.`,
    `Every other issue deducts its weight × the share of content pages affected. Weights are ${high}, ${medium} or ${low} points by severity on a page, and more for a few issues that every visitor or search result shows; however few pages an issue affects, it deducts at least ${least.high}, ${least.medium} or ${least.low}.`,
    'Content pages are those meant for search, not carts, filters, archives or legal pages; the home page counts as at least a tenth of them. Optional issues deduct nothing. All deductions and the score add up to 100.',
    'Scores are comparable only between audits of the same site with the same checks and pages.',
  ].join(' ');
}

/** Scores of this formula are kept, and shown with it. */
function firstFormulaText(pages: number): string {
  return [
    'Each issue deducts its weight × the share of pages affected, and at least a tenth of its weight.',
    'Weights by impact: high 8, medium 3, low 1 (https-missing 12, viewport-missing 12, organization-incomplete 4).',
    `Checks that apply to few pages are weighted as if they applied to half of the ${plural(pages, 'HTML page')}; issues of the whole site count in full.`,
    'No category deducts more than its maximum, optional issues deduct nothing, and only HTML pages count.',
    'Scores are comparable only between audits of the same site with the same checks and pages.',
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
    : `${count(failed)} of ${count(looked)} (weighted as ${count(failed)} of ${count(base)})`;
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
  const found =
    failed === 0 ? 'nothing to improve' : `${count(failed)} of ${plural(looked, 'check')} found something optional`;
  return `Foundations (social sharing, measurement, security headers, AI crawlers): grade ${grade}, ${found}. Not part of the score.`;
}

export const isFirstFormula = ({ formula = FIRST_FORMULA }: { readonly formula?: number | undefined }): boolean =>
  formula === FIRST_FORMULA;
