/**
 * What must be fetched to verify a finding of a check without auditing the whole site again.
 * A page check that is not listed needs only its page and robots.txt.
 */
import type { Evidence } from '../../model/findings.ts';
import { headerLinks } from '../crawl/linkHeader.ts';
import { canonicalOf } from '../crawl/pageLeads.ts';
import type { ProbeName } from '../crawl/probes/probes.ts';
import type { Crawl, FetchOutcome, FileCheck, LinkCheck } from '../crawl/site.ts';
import { crawlUrl } from '../crawl/url.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { hasSitemap } from './applies.ts';
import { fragmentOf } from './lookups/fragments.ts';
import { hreflangsOf } from './lookups/language/hreflangs.ts';
import { areKnown } from './lookups/pageLinks.ts';
import { siteIndex } from './lookups/siteIndex.ts';
import { areListsComplete } from './lookups/sitemapPages.ts';

export type RecheckNeeds = {
  /**
   * The finding's page (perhaps with the start page), all pages where the check found something, the start page, all
   * pages of the site, or none. Default: 'own'.
   */
  readonly pages?: 'own' | 'own-and-start' | 'found' | 'start' | 'all' | 'none';
  /** Pages that those pages name and whose content matters too. */
  readonly leads?: (facts: PageFacts, outcome: FetchOutcome) => readonly string[];
  /** Which of the URLs those pages link to, load or name to fetch; `other-agents`: these pages as others do. */
  readonly fetches?: readonly (LinkCheck['kind'] | FileCheck['kind'] | 'other-agents')[];
  readonly sitemaps?: true;
  readonly probes?: readonly ProbeName[];
  readonly asksAsAiBot?: true;
  /** The check's finding is about the whole site: the page or file where it is seen may change. */
  readonly wholeSite?: true;
  /**
   * For a site check that judges each place separately: whether everything its verdict on this place depends on was
   * gathered.
   */
  readonly isGatheredFor?: (place: Evidence, site: Crawl) => boolean;
  /**
   * The address whose answer a finding of a page is about; null if it is not one. A verdict on it needs no other
   * answer.
   */
  readonly target?: (place: Evidence) => string | null;
};

const START: RecheckNeeds = { pages: 'start' };
const ROBOTS: RecheckNeeds = { pages: 'none' };
const SITEMAPS: RecheckNeeds = { pages: 'none', sitemaps: true };
const FOUND: RecheckNeeds = { pages: 'found' };
const ALL: RecheckNeeds = { pages: 'all' };
const WHOLE_SITE: RecheckNeeds = { pages: 'all', wholeSite: true };
const INTERNAL_LINKS: RecheckNeeds = { fetches: ['internal'], target: namedIn };
const IMAGES: RecheckNeeds = { fetches: ['image'] };
const ITSELF: RecheckNeeds = { target: ({ url }) => url };
const CANONICAL: RecheckNeeds = { fetches: ['canonical'] };
const CANONICAL_PAGE: RecheckNeeds = {
  leads: (facts, outcome) => namedBy(canonicalOf(facts, outcome)),
  fetches: ['canonical'],
};
const AS_OTHERS: RecheckNeeds = { fetches: ['other-agents'] };
const LISTED: RecheckNeeds = { sitemaps: true, isGatheredFor: isListedKnown };
const VERSIONS: RecheckNeeds = { leads: versionsOf, isGatheredFor: areVersionsKnown };

export const RECHECK_NEEDS: Readonly<Record<string, RecheckNeeds>> = {
  'ai-bots-served-differently': { pages: 'start', asksAsAiBot: true },
  'ai-search-bots-blocked': ROBOTS,
  'ai-training-bots': ROBOTS,
  'ai-user-fetchers-blocked': ROBOTS,
  'analytics-missing': WHOLE_SITE,
  'broken-external-link': { fetches: ['external'], target: namedIn },
  'broken-internal-link': INTERNAL_LINKS,
  'canonical-chain': CANONICAL_PAGE,
  'canonical-other-content': CANONICAL_PAGE,
  'canonical-to-error': CANONICAL,
  'canonical-to-noindex': CANONICAL_PAGE,
  'canonical-to-redirect': CANONICAL,
  'canonical-to-root': CANONICAL_PAGE,
  'certificate-problem': START,
  'contact-missing': WHOLE_SITE,
  'cookie-consent-missing': WHOLE_SITE,
  'csp-missing': START,
  'deep-page': ALL,
  'description-duplicate': FOUND,
  'duplicate-content': ALL,
  'favicon-missing': { pages: 'start', fetches: ['icon'], probes: ['favicon'] },
  'feed-missing': { pages: 'all', fetches: ['feed'], wholeSite: true },
  'fragment-dead': { leads: fragmentTargets },
  'frame-protection': START,
  'googlebot-refused': AS_OTHERS,
  'hreflang-bad-target': VERSIONS,
  'hreflang-no-return': VERSIONS,
  'hsts-missing': START,
  'http-not-redirected': { pages: 'start', probes: ['httpTwin'] },
  'https-missing': START,
  'image-broken': { ...IMAGES, target: namedIn },
  'image-legacy-format': IMAGES,
  'image-too-heavy': IMAGES,
  'internal-nofollow': { leads: nofollowedBy },
  'link-to-redirect': INTERNAL_LINKS,
  'llms-txt-invalid': { probes: ['llmsTxt'], isGatheredFor: isLlmsLinkKnown },
  'llms-txt-missing': { pages: 'none', probes: ['llmsTxt'] },
  'localbusiness-schema': WHOLE_SITE,
  'login-wall': START,
  'manifest-invalid': { pages: 'start', fetches: ['manifest'] },
  'merchant-policies': { pages: 'own-and-start' },
  'missing-404': { pages: 'none', probes: ['missingPage'], wholeSite: true },
  'no-cache-headers': { pages: 'all', fetches: ['asset', 'image'], wholeSite: true },
  'no-http2': START,
  'noindex-by-agent': AS_OTHERS,
  'nosniff-missing': START,
  'og-image-invalid': { fetches: ['share-image'] },
  'organization-incomplete': START,
  'orphan-page': { pages: 'all', sitemaps: true },
  'page-http-error': ITSELF,
  'phone-links-missing': AS_OTHERS,
  'phone-schema-missing': AS_OTHERS,
  'phone-text-missing': AS_OTHERS,
  'redirect-to-error': ITSELF,
  'review-schema': { pages: 'own-and-start' },
  'robots-blocks-all': ROBOTS,
  'robots-bot-group-overrides': ROBOTS,
  'robots-html': ROBOTS,
  'robots-missing': ROBOTS,
  'robots-no-sitemap': SITEMAPS,
  'robots-server-error': ROBOTS,
  'robots-syntax': ROBOTS,
  'robots-too-large': ROBOTS,
  'search-console-missing': START,
  'sitemap-bad-urls': LISTED,
  'sitemap-blocked': SITEMAPS,
  'sitemap-foreign-host': SITEMAPS,
  'sitemap-image-broken': { sitemaps: true, isGatheredFor: ({ url }, site) => siteIndex(site).isKnown(url) },
  'sitemap-incomplete': { pages: 'all', sitemaps: true },
  'sitemap-index-broken': SITEMAPS,
  'sitemap-invalid': SITEMAPS,
  'sitemap-lastmod': SITEMAPS,
  'sitemap-missing': { pages: 'start', sitemaps: true },
  'sitemap-news': SITEMAPS,
  'sitemap-noindex': LISTED,
  'sitemap-noncanonical': LISTED,
  'sitemap-too-large': SITEMAPS,
  'sitemap-video': SITEMAPS,
  'slow-ttfb': { fetches: ['slow-page'] },
  'social-duplicate': ALL,
  'social-profiles-missing': START,
  'soft-404': { pages: 'own', probes: ['missingPage'] },
  'staging-indexable': START,
  'title-duplicate': FOUND,
  'website-schema': START,
  'www-duplicate': { pages: 'start', probes: ['wwwTwin'] },
};

/** Of a link or an image as the page has it. */
function namedIn({ url, value }: Evidence): string | null {
  return crawlUrl(value, url);
}

function namedBy(url: string | null): readonly string[] {
  return url === null ? [] : [url];
}

function nofollowedBy(facts: PageFacts): readonly string[] {
  return facts.links.flatMap(({ url, internal, rel }) =>
    url !== null && internal && rel.includes('nofollow') ? [url] : [],
  );
}

function fragmentTargets({ links }: PageFacts): readonly string[] {
  return links.flatMap((link) => (link.url === null || fragmentOf(link) === null ? [] : [link.url]));
}

function versionsOf(facts: PageFacts, outcome: FetchOutcome): readonly string[] {
  const inHeader = headerLinks(outcome).flatMap(({ url, rel }) => (rel === 'alternate' ? namedBy(url) : []));
  return [...facts.alternates.flatMap(({ url }) => namedBy(url)), ...inHeader];
}

function areVersionsKnown({ url }: Evidence, site: Crawl): boolean {
  const page = siteIndex(site).answerOf(url)?.page ?? null;
  return page !== null && page.facts !== null && areKnown(hreflangsOf(page), site);
}

/** A URL that is no longer in any sitemap needs no recheck. */
function isListedKnown({ url }: Evidence, site: Crawl): boolean {
  const { inSitemaps, isKnown, answerOf } = siteIndex(site);
  if (!hasSitemap(site) || !areListsComplete(site)) return false;
  return !inSitemaps.has(url) || (answerOf(url) !== null && isKnown(url));
}

/** A URL that llms.txt no longer names needs no recheck. */
function isLlmsLinkKnown({ url }: Evidence, site: Crawl): boolean {
  const { llmsTxt } = site.discovery;
  if (llmsTxt === null || llmsTxt.outcome.status === null || llmsTxt.outcome.status >= 500) return false;
  return siteIndex(site).isKnown(url) || !llmsTxt.text.includes(new URL(url).pathname);
}
