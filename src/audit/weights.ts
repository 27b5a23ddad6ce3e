/** What the score is made of. The intentions behind the numbers are tests on this very table. */
import type { Category, Impact } from '../model/findings.ts';

/** What a category may cost at most. Together 100: a site that fails everything ends at 0. */
export const CATEGORY_CAPS: Readonly<Record<Category, number>> = { technical: 45, content: 30, schema: 12, social: 8, tools: 5 };

/** Points that a check costs when every page it looked at fails, by its impact. */
export const IMPACT_WEIGHTS: Readonly<Record<Impact, number>> = { high: 8, medium: 3, low: 1 };

/** Checks that weigh otherwise than their impact says: some concern every visit to every page, one a recommendation for the start page alone. */
export const WEIGHTS: Readonly<Record<string, number>> = { 'https-missing': 12, 'viewport-missing': 12, 'organization-incomplete': 4 };

/** A check costs at least this share of its weight once one page fails. */
export const MIN_SHARE = 0.1;

/** A check that looks at few pages of a site counts as if it had looked at this share of its HTML pages: one faulty page of two hundred is little. */
export const MIN_BASE = 0.5;

/** Checks of the whole site whose faults are single pages or addresses: they cost by the share of these, not in full. */
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

/** `start`: a finding on the start page is enough; `site`: any finding; `most`: findings on more than half of the HTML pages. */
export type Limit = { readonly checkIds: readonly string[]; readonly on: 'start' | 'site' | 'most'; readonly cap: number; readonly reason: string };

const NOT_INDEXED = ['noindex-meta', 'noindex-header', 'robots-blocks-page'] as const;
const NAMES_ANOTHER = ['canonical-other-host', 'canonical-to-root', 'canonical-to-error', 'canonical-to-noindex'] as const;

/** Faults under which no site can look healthy, whatever else it does well. */
export const LIMITS: readonly Limit[] = [
  { checkIds: ['page-unreachable', 'page-http-error', 'redirect-loop'], on: 'start', cap: 10, reason: 'The start page does not answer with a page' },
  { checkIds: ['robots-blocks-all', 'robots-server-error'], on: 'site', cap: 10, reason: 'robots.txt keeps search engines out of the whole site' },
  { checkIds: ['hidden-text'], on: 'most', cap: 15, reason: 'Most pages hide text from visitors, for which search engines take sites out of their results' },
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
  { checkIds: [...NOT_INDEXED, ...NAMES_ANOTHER, 'soft-404'], on: 'most', cap: 40, reason: 'Most pages keep themselves out of the results' },
  { checkIds: ['keyword-stuffing'], on: 'most', cap: 45, reason: 'Most pages repeat phrases as spam does' },
];

/** Google alone is kept out: what other search engines may do makes no site healthy. `most` as above. */
export const GOOGLE_LIMITS: readonly (Pick<Limit, 'cap' | 'reason'> & { readonly on: 'start' | 'most' })[] = [
  { on: 'start', cap: 40, reason: 'Google may not index the start page' },
  { on: 'most', cap: 45, reason: 'Google may not index most of the pages' },
];

/** More addresses of the site fail than answer with a page. */
export const MOSTLY_ERRORS: Pick<Limit, 'cap' | 'reason'> = { cap: 40, reason: 'Most addresses of the site answer with errors' };

/** A few dead links of a small site are no dead site. */
export const ERRORS_AT_LEAST = 5;

/** Not out of reach, but far from good: search engines may run scripts, most assistants do not. */
export const NEEDS_SCRIPTS: Pick<Limit, 'cap' | 'reason'> = { cap: 50, reason: 'Without running scripts the start page, or most pages, are empty' };

/** With no HTML page to look at there is nothing that could be healthy. */
export const NOTHING_AUDITED: Pick<Limit, 'cap' | 'reason'> = { cap: 10, reason: 'No page could be audited' };
