/** Checks that cannot be answered by a part of a site that a user chose: what they miss may be in the rest. */
import { isPart } from '../../model/crawlSettings.ts';
import type { Crawl } from '../crawl/site.ts';

/**
 * They say that something is nowhere on the site, that nothing links to a page, or what all pages have in common.
 * Checks of robots.txt, sitemaps, the server and the home page see all that they judge in any crawl.
 */
export const WHOLE_SITE_CLAIMS: ReadonlySet<string> = new Set([
  'analytics-missing',
  'contact-missing',
  'cookie-consent-missing',
  'deep-page',
  'localbusiness-schema',
  'orphan-page',
  'sitemap-incomplete',
  'social-duplicate',
]);

/** They look at the start page for what a site has on its home page alone. */
const HOME_PAGE_CLAIMS: ReadonlySet<string> = new Set([
  'organization-incomplete',
  'search-console-missing',
  'social-profiles-missing',
  'website-schema',
]);

/** Why the check cannot be answered, as the end of a sentence; null if it can. */
export function whyNotOfPart(checkId: string, { coverage, discovery }: Crawl): string | null {
  if (!isPart(coverage.settings)) return null;
  if (WHOLE_SITE_CLAIMS.has(checkId)) return 'it is about the whole site, and this audit was set to a part of it';
  return HOME_PAGE_CLAIMS.has(checkId) && new URL(discovery.startUrl).pathname !== '/'
    ? 'it is about the home page, and this audit of a part of the site started at another one'
    : null;
}
