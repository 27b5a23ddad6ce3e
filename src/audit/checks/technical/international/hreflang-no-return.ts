import type { Snippet } from '../../../../model/findings.ts';
import { hasHreflang, htmlPage } from '../../applies.ts';
import { type HtmlPage, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { Listing } from '../../listing.ts';
import { isSelfCanonical } from '../../lookups/canonicals.ts';
import { hreflangsOf, isLanguage } from '../../lookups/language/hreflangs.ts';
import { alternateLink } from '../../lookups/language/languageCode.ts';
import { namesAsVersion, someVersion, type Version, versionsAsked } from '../../lookups/language/languageVersions.ts';
import { areKnown } from '../../lookups/pageLinks.ts';
import { everyPage, somePage } from '../../lookups/pages.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { addedToHead } from '../../lookups/snippets.ts';

export const hreflangNoReturn = siteCheck({
  id: 'hreflang-no-return',
  title: 'hreflang return links are missing',
  category: 'technical',
  group: 'international',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Search engines can treat all language versions as one group.',
  timeToResult: '3-8 weeks',
  risk: 'This page lists another page as a language version, but that page doesn’t list this one. Search engines ignore such one-way hreflang links.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, put the same complete list of hreflang links into the `<head>` of every version, including a link to the page itself.',
    'If the other page isn’t a version of this one, remove its link instead.',
    'Write each URL exactly as in that page’s canonical.',
    'If a template or plugin builds the lists, build them all from one source so that they stay the same.',
    'View the page source of both pages and make sure their hreflang links are the same, or the link to the other page is gone.',
  ],
  example: {
    before: null,
    after:
      '<!-- the same on both pages -->\n<link rel="alternate" hreflang="en" href="YOUR ENGLISH PAGE">\n<link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">',
  },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: (site) => somePage(site, hasHreflang),
  gathered: (site) => someVersion(site, (version) => targetOf(version) !== null),
  complete: (site) => everyPage(site, (page) => areKnown(hreflangsOf(page), site)),
  run: function* (site) {
    const listing = new Listing();
    for (const page of siteIndex(site).htmlPages) {
      yield;
      // A page with another canonical is no member of a set.
      if (!isSelfCanonical(page)) continue;
      for (const version of versionsAsked(page, site)) {
        yield;
        const target = version && targetOf(version);
        if (target === null || namesAsVersion(target, page, site)) continue;
        const { hreflang } = version as Version;
        listing.add(() => ({
          evidence: seen(page, `link[hreflang="${hreflang}"]`, target.outcome.url),
          message: `${page.outcome.url} names ${target.outcome.url} as its ${hreflang} version, which does not name it in turn.`,
          snippet: returnLink(page, target),
        }));
      }
    }
    return listing;
  },
});

/** The crawled page, if the address leads straight to one. */
function targetOf({ answer: { page, redirects } }: Version): HtmlPage | null {
  return page !== null && htmlPage(page) && redirects === 0 && isSelfCanonical(page) ? page : null;
}

/** Goes into the head of the other page. */
function returnLink({ facts, outcome }: HtmlPage, target: HtmlPage): Snippet | null {
  const lang = (facts.lang ?? '').trim();
  const set = hreflangsOf(target);
  // Into a set that is complete but for this page.
  const isMember = set.some(({ url }) => url === target.outcome.url) && set.every(({ hreflang }) => hreflang !== lang);
  const isCode = /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(lang) && isLanguage(lang.split('-')[0] ?? '');
  return !isMember || !isCode ? null : { ...addedToHead(alternateLink(lang, outcome.url)), on: target.outcome.url };
}
