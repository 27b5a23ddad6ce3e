import type { Crawl } from '../../../crawl/site.ts';
import { hasHreflang, htmlPage } from '../../applies.ts';
import { type Fault, type HtmlPage, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isSelfCanonical, sameAddress } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { areKnown } from '../../lookups/pageLinks.ts';
import { html } from '../../lookups/siteCode.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const hreflangNoReturn = siteCheck({
  id: 'hreflang-no-return',
  title: 'Language versions do not link back',
  category: 'technical',
  group: 'international',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  businessValue: 'The whole language group starts to work.',
  timeToResult: '3-8 weeks',
  why: 'One-way language links are ignored.',
  fix: 'Print the same full set on all versions.',
  codeExample: null,
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: (site) => siteIndex(site).htmlPages.some(hasHreflang),
  gathered: (site) => siteIndex(site).htmlPages.some((page) => pairsOf(page, site).length > 0),
  complete: (site) => siteIndex(site).htmlPages.every((page) => areKnown(hreflangsOf(page), site)),
  run: function* (site) {
    const faults: Fault[] = [];
    for (const page of siteIndex(site).htmlPages) {
      for (const { target, hreflang } of pairsOf(page, site)) {
        yield;
        if (hreflangsOf(target).some(({ url }) => url !== null && sameAddress(url, page.outcome.url))) continue;
        faults.push({
          evidence: seen(page, `link[hreflang="${hreflang}"]`, target.outcome.url),
          message: `${page.outcome.url} names ${target.outcome.url} as its ${hreflang} version, which does not name it in turn.`,
          code: `<link rel="alternate" hreflang="${html(page.facts.lang ?? 'x-default')}" href="${html(page.outcome.url)}">`,
        });
      }
    }
    return faults;
  },
});

type Pair = { readonly target: HtmlPage; readonly hreflang: string };

/** The crawled language versions that a page names. A page with another canonical is no member of a set. */
function pairsOf(page: HtmlPage, site: Crawl): Pair[] {
  if (!isSelfCanonical(page)) return [];
  const { answerOf } = siteIndex(site);
  return hreflangsOf(page).flatMap(({ url, hreflang }) => {
    const target = url === null || sameAddress(url, page.outcome.url) ? null : answerOf(url);
    return target?.page != null && htmlPage(target.page) && target.redirects === 0 && isSelfCanonical(target.page)
      ? [{ target: target.page, hreflang }]
      : [];
  });
}
