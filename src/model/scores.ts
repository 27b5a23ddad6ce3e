/** The score of a site, as reports, screens, emails and images show it: its bands, and why there may be none. */

/** A site with this score or more is in good health. The bands are those of Lighthouse, which readers know. */
const GOOD_FROM = 90;
/** A site below this score has severe problems. */
const FAIR_FROM = 50;

/** Version of the score's formula, recorded with each score. Scores that record none have the first. */
export const SCORE_FORMULA = 2;
export const FIRST_FORMULA = 1;

export type ScoreBand = 'good' | 'fair' | 'poor';

/** Scores are stored to the tenth and shown as whole numbers: 100 only if nothing was lost. */
export const wholeScore = (score: number): number => (score >= 100 ? 100 : Math.min(99, Math.round(score)));

/** By the number that is shown, so that the two agree. */
export function bandOf(score: number): ScoreBand {
  const shown = wholeScore(score);
  return shown >= GOOD_FROM ? 'good' : shown >= FAIR_FROM ? 'fair' : 'poor';
}

/** Of a limit of the score, which may be far above it. */
export const ceilingText = (cap: number): string => `Until that’s fixed, the score can’t rise above ${cap}.`;

/**
 * Why a site has no score. `refused`: it turned the crawler away; `challenged`: it asked it to prove that it is human;
 * `robots`: its robots.txt shuts out this crawler, but not others; `needs_browser`: scripts fill its pages, and no
 * browser ran them.
 */
export const NOT_JUDGED_REASONS = ['refused', 'challenged', 'robots', 'needs_browser'] as const;
export type NotJudgedReason = (typeof NOT_JUDGED_REASONS)[number];

/** In place of a score. */
export const NOT_JUDGED = 'Not scored';

/** What happened, and what to do about it. */
export const NOT_JUDGED_TEXTS: Readonly<Record<NotJudgedReason, string>> = {
  refused:
    'The site blocked our crawler, so its pages could not be read. Ask whoever runs it to allow the crawler, then run the audit again.',
  challenged:
    'The site asks visitors to prove that they are human, so its pages could not be read. Ask whoever runs it to allow our crawler, then run the audit again.',
  robots: 'The site’s robots.txt blocks our crawler, but not others. Allow it there, then run the audit again.',
  needs_browser:
    'The site’s pages need scripts, which only a browser runs, so their content could not be read. Have the server send the content as HTML, or audit the site with a browser.',
};

/** Of a site whose robots.txt forbids every crawler to read it. */
export const SHUT_TEXT =
  'The site’s robots.txt blocks every crawler, including search engines, so only that file could be audited.';

/** Beside the score of an audit whose former one was calculated in another way, so that nobody compares the two. */
export const FORMULA_CHANGED =
  'The score formula has changed since the last audit of this site, so the two scores can’t be compared.';
