import type { Crawl } from '../../../crawl/site.ts';
import { hasHreflang, htmlPage, isIndexable } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { Listing } from '../../listing.ts';
import { isSelfCanonical } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { someVersion, versionsAsked } from '../../lookups/language/languageVersions.ts';
import { areKnown } from '../../lookups/pageLinks.ts';
import { everyPage, somePage } from '../../lookups/pages.ts';
import { type Answer, siteIndex } from '../../lookups/siteIndex.ts';

export const hreflangBadTarget = siteCheck({
  id: 'hreflang-bad-target',
  title: 'hreflang points to a redirect, error, or noindex page',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Every language version you list can be shown in search.',
  timeToResult: '2-6 weeks',
  risk: 'Some hreflang links lead to URLs that redirect, return an error, are set to noindex, or have a different canonical. Search engines ignore those language versions.',
  steps: [
    'Open each hreflang URL that this report lists. You change these links in your SEO or translation plugin’s settings or in the template.',
    'If the URL redirects, replace it with the final URL.',
    'If the version no longer exists, remove its link from every version of the page.',
    'If the version should be found, repair it if it returns an error, remove its noindex, and give it a canonical with its own URL.',
    'Open the Network tab in your browser’s developer tools, open each of these URLs, click its entry, and make sure it returns 200 without a redirect, unless its link is gone from the page source.',
  ],
  example: null,
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: (site) => somePage(site, hasHreflang),
  gathered: (site) => someVersion(site, () => true),
  complete: (site) => everyPage(site, (page) => areKnown(hreflangsOf(page), site)),
  run: function* (site) {
    const listing = new Listing();
    for (const page of siteIndex(site).htmlPages) {
      yield;
      for (const version of versionsAsked(page, site)) {
        yield;
        if (version === null) continue;
        const { hreflang, answer } = version;
        const problem = problemOf(answer, hreflang, site);
        const target = answer.outcome.requestedUrl;
        if (problem !== null)
          listing.add(() => ({
            evidence: seen(page, `link[hreflang="${hreflang}"]`, target),
            message: `The ${hreflang} version ${target} ${problem}.`,
          }));
      }
    }
    return listing;
  },
});

function problemOf({ outcome, page, redirects }: Answer, hreflang: string, site: Crawl): string | null {
  // The address for all others may choose a language for each visitor.
  const isChoosing =
    hreflang.trim().toLowerCase() === 'x-default' && outcome.hops.every(({ status }) => isTemporary(status));
  if (redirects > 0 && !isChoosing) return `redirects to ${outcome.url}`;
  if (outcome.status !== null && outcome.status >= 400) return `answers with status ${outcome.status}`;
  if (page === null || !htmlPage(page)) return null;
  if (!isIndexable(page, site)) return 'may not be listed by search engines';
  return isSelfCanonical(page) ? null : 'names another page as its original';
}

const isTemporary = (status: number): boolean => status === 302 || status === 303 || status === 307;
