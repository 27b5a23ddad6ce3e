/** What the score is made of. The intentions behind the numbers are tests on this very table. */
import type { Category, Impact } from './checks/check.ts';

/** What a category may cost at most. Together 100: a site that fails everything ends at 0. */
export const CATEGORY_CAPS: Readonly<Record<Category, number>> = { technical: 45, content: 30, schema: 12, social: 8, tools: 5 };

/** Points that a check costs when every page it looked at fails, by its impact. */
export const IMPACT_WEIGHTS: Readonly<Record<Impact, number>> = { high: 8, medium: 3, low: 1 };

/** Checks that weigh otherwise than their impact says. */
export const WEIGHTS: Readonly<Record<string, number>> = {};

/** A check costs at least this share of its weight once one page fails. */
export const MIN_SHARE = 0.1;

/** `start`: a finding on the start page is enough; `site`: any finding; `most`: findings on more than half of the HTML pages. */
export type Limit = { readonly checkIds: readonly string[]; readonly on: 'start' | 'site' | 'most'; readonly cap: number; readonly reason: string };

/** Faults under which no site can look healthy, whatever else it does well. */
export const LIMITS: readonly Limit[] = [
  { checkIds: ['page-unreachable', 'page-http-error', 'redirect-loop'], on: 'start', cap: 10, reason: 'The start page does not answer with a page' },
  { checkIds: ['robots-blocks-all', 'robots-server-error'], on: 'site', cap: 30, reason: 'robots.txt keeps search engines out of the whole site' },
  { checkIds: ['noindex-meta', 'noindex-header', 'robots-blocks-page'], on: 'start', cap: 30, reason: 'Search engines may not index the start page' },
  { checkIds: ['noindex-meta', 'noindex-header', 'robots-blocks-page'], on: 'most', cap: 45, reason: 'Search engines may not index most of the pages' },
];

/** With no HTML page to look at there is nothing that could be healthy. */
export const NOTHING_AUDITED: Pick<Limit, 'cap' | 'reason'> = { cap: 10, reason: 'No page could be audited' };
