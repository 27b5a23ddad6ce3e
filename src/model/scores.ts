/** The bands of a score in reports, screens and images: those of Lighthouse, which readers know. */

/** A site with this score or more is in good health. */
const GOOD_FROM = 90;
/** A site below this score has severe problems. */
const FAIR_FROM = 50;

export type ScoreBand = 'good' | 'fair' | 'poor';

export const bandOf = (score: number): ScoreBand =>
  score >= GOOD_FROM ? 'good' : score >= FAIR_FROM ? 'fair' : 'poor';
