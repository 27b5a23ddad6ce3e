/** The numbers behind the score. Tests on this table state the intent behind them. */
import type { Impact } from '../model/findings.ts';

/** Whose listing counts how much in the gate: nearly all searches are made with Google. Together 1. */
export const ENGINES = [
  { name: 'google', bot: 'Googlebot', weight: 0.93 },
  { name: 'others', bot: 'bingbot', weight: 0.07 },
] as const;

/** The start page counts as at least this share of the content pages. */
export const START_SHARE = 0.1;

/**
 * The open share of the content pages to this power is the gate's factor. Above 1, so that a site of which most is
 * closed is near 0; below 1.5, so that no page costs more than one and a half times its share.
 */
export const GATE_EXPONENT = 1.3;

/**
 * Of the share of content pages that are kept out although nothing else in the site says that they should be found,
 * what counts as closed: a few landing pages are usual.
 */
export const ALLOWANCE = { slope: 1.1, free: 0.1 } as const;

/**
 * Pages of which nothing is known, because robots.txt forbids them, count as at most this share of the other content
 * pages for each rule of robots.txt.
 */
export const UNKNOWN_SHARE = 0.1;

/** Points that a check costs, by impact, if every content page fails; of fewer pages, their share of it. */
export const IMPACT_WEIGHTS: Readonly<Record<Impact, number>> = { high: 6, medium: 2, low: 0.8 };

/** The least that an issue costs, by impact: points. */
export const LEAST_POINTS: Readonly<Record<Impact, number>> = { high: 1, medium: 0.4, low: 0.1 };

/**
 * Checks that weigh more or less than their impact suggests. What every visitor and every search result shows of every
 * page costs tens of points if it is missing everywhere.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {
  'login-wall': 70,
  'placeholder-text': 64,
  'hidden-text': 60,
  'soft-404': 60,
  'js-only-content': 50,
  'phone-text-missing': 50,
  'title-missing': 47,
  'keyword-stuffing': 45,
  'title-duplicate': 32,
  'thin-content': 25,
  'duplicate-content': 28,
  'viewport-missing': 25,
  'title-generic': 20,
  'certificate-problem': 20,
  'https-missing': 14,
  'broken-internal-link': 10,
  'redirect-to-error': 10,
  'description-missing': 11,
  'h1-missing': 8,
  'canonical-to-error': 10,
  'slow-ttfb': 10,
  'mixed-content': 8,
  'hreflang-no-return': 8,
  'lang-content-mismatch': 6,
  'sitemap-missing': 2.9,
  'description-duplicate': 3,
  'organization-incomplete': 2,
  'article-schema': 2.5,
  // Costs nothing: only Google knows whether it is refused, too.
  'googlebot-refused': 0,
};

/** Site checks whose findings are single pages or addresses: they cost in proportion to these, not in full. */
export const COUNTED_BY_PAGE: ReadonlySet<string> = new Set([
  'deep-page',
  'description-duplicate',
  'duplicate-content',
  'hreflang-bad-target',
  'hreflang-no-return',
  'orphan-page',
  'sitemap-bad-urls',
  'sitemap-blocked',
  'sitemap-image-broken',
  'sitemap-incomplete',
  'sitemap-noindex',
  'sitemap-noncanonical',
  'social-duplicate',
  'title-duplicate',
]);
