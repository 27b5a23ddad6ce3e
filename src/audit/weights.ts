/** The numbers behind the score. Tests on this table state the intent behind them. */
import type { Category, Impact } from '../model/findings.ts';

/** Maximum points per category. They add up to 100: a site that fails everything scores 0. */
export const CATEGORY_CAPS: Readonly<Record<Category, number>> = {
  technical: 45,
  content: 30,
  schema: 12,
  social: 8,
  tools: 5,
};

/** Points that a check costs, by impact, if every page it checked fails. */
export const IMPACT_WEIGHTS: Readonly<Record<Impact, number>> = { high: 8, medium: 3, low: 1 };

/**
 * Checks that weigh more or less than their impact suggests: some affect every visit to every page, one is a
 * recommendation for the start page only.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {
  'https-missing': 12,
  'viewport-missing': 12,
  'organization-incomplete': 4,
};

/** Minimum share of a check's weight that it costs once one page fails. */
export const MIN_SHARE = 0.1;

/**
 * A check that applies to few pages counts as if it applied to this share of HTML pages: one bad page out of two
 * hundred is minor.
 */
export const MIN_BASE = 0.5;

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
  'sitemap-incomplete',
  'sitemap-noindex',
  'sitemap-noncanonical',
  'social-duplicate',
  'title-duplicate',
]);

/**
 * `start`: a finding on the start page is enough; `site`: any finding; `most`: findings on more than half of the HTML
 * pages.
 */
export type Limit = {
  readonly checkIds: readonly string[];
  readonly on: 'start' | 'site' | 'most';
  readonly cap: number;
  readonly reason: string;
};

const NOT_INDEXED = ['noindex-meta', 'noindex-header', 'robots-blocks-page'] as const;
const NAMES_ANOTHER = [
  'canonical-other-host',
  'canonical-to-root',
  'canonical-to-error',
  'canonical-to-noindex',
] as const;

/** Findings that cap the score of a site, no matter how good the rest is. */
export const LIMITS: readonly Limit[] = [
  {
    checkIds: ['page-unreachable', 'page-http-error', 'redirect-loop'],
    on: 'start',
    cap: 10,
    reason: 'The start page does not answer with a page',
  },
  {
    checkIds: ['robots-blocks-all', 'robots-server-error'],
    on: 'site',
    cap: 10,
    reason: 'robots.txt keeps search engines out of the whole site',
  },
  {
    checkIds: ['hidden-text'],
    on: 'most',
    cap: 15,
    reason: 'Most pages hide text from visitors, for which search engines take sites out of their results',
  },
  { checkIds: NOT_INDEXED, on: 'start', cap: 20, reason: 'Search engines may not index the start page' },
  { checkIds: ['soft-404'], on: 'start', cap: 20, reason: 'The start page says that it does not exist' },
  { checkIds: ['login-wall'], on: 'site', cap: 25, reason: 'The start page asks for a login' },
  { checkIds: NOT_INDEXED, on: 'most', cap: 30, reason: 'Search engines may not index most of the pages' },
  {
    checkIds: ['canonical-other-host', 'canonical-to-error', 'canonical-to-noindex'],
    on: 'start',
    cap: 30,
    reason: 'The start page names another page as its original',
  },
  {
    checkIds: [...NOT_INDEXED, ...NAMES_ANOTHER, 'soft-404'],
    on: 'most',
    cap: 40,
    reason: 'Most pages keep themselves out of the results',
  },
  { checkIds: ['keyword-stuffing'], on: 'most', cap: 45, reason: 'Most pages repeat phrases as spam does' },
];

/** Only Google is blocked: a site is not healthy even if other search engines may index it. `on` as above. */
export const GOOGLE_LIMITS: readonly (Pick<Limit, 'cap' | 'reason'> & { readonly on: 'start' | 'most' })[] = [
  { on: 'start', cap: 40, reason: 'Google may not index the start page' },
  { on: 'most', cap: 45, reason: 'Google may not index most of the pages' },
];

/** More of the site's addresses fail than return a page. */
export const MOSTLY_ERRORS: Pick<Limit, 'cap' | 'reason'> = {
  cap: 40,
  reason: 'Most addresses of the site answer with errors',
};

/** A few dead links on a small site do not count as mostly errors. */
export const ERRORS_AT_LEAST = 5;

/** Not unreachable, but far from good: search engines may run scripts, most AI assistants do not. */
export const NEEDS_SCRIPTS: Pick<Limit, 'cap' | 'reason'> = {
  cap: 50,
  reason: 'Without running scripts the start page, or most pages, are empty',
};

/** Without any HTML page, nothing can be healthy. */
export const NOTHING_AUDITED: Pick<Limit, 'cap' | 'reason'> = { cap: 0, reason: 'No page could be audited' };
