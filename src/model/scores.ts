/** The score of a site, as reports, screens, emails and images show it: its bands, and why there may be none. */

/** A site with this score or more is in good health. The bands are those of Lighthouse, which readers know. */
const GOOD_FROM = 90;
/** A site below this score has severe problems. */
const FAIR_FROM = 50;

export type ScoreBand = 'good' | 'fair' | 'poor';

/** Version of the score's formula, recorded with each score. Scores that record none have the first. */
export const SCORE_FORMULA = 2;
export const FIRST_FORMULA = 1;

/** Scores are stored to the tenth and shown as whole numbers: 100 only if nothing was lost. */
export const wholeScore = (score: number): number => (score >= 100 ? 100 : Math.min(99, Math.round(score)));

/** By the number that is shown, so that the two agree. */
export function bandOf(score: number): ScoreBand {
  const shown = wholeScore(score);
  return shown >= GOOD_FROM ? 'good' : shown >= FAIR_FROM ? 'fair' : 'poor';
}
