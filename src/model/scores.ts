/** The bands of a score, as reports, screens and pictures have them: those of Lighthouse, which readers know. */

/** From here on a site is in good health. */
const GOOD_FROM = 90;
/** Below it a site has grave faults. */
const FAIR_FROM = 50;

export type ScoreBand = 'good' | 'fair' | 'poor';

export const bandOf = (score: number): ScoreBand => (score >= GOOD_FROM ? 'good' : score >= FAIR_FROM ? 'fair' : 'poor');
