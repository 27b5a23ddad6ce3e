import type { Crawl } from '../../../crawl/site.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf, canonicalTarget, hasForeignCanonical, isSelfCanonical } from '../../lookups/canonicals.ts';
import { hostOf, siteIndex } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalChain = pageCheck({
  id: 'canonical-chain',
  title: 'Canonical points to a page with a different canonical',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 20,
  gain: 'All versions of the page count toward the one URL you want indexed.',
  timeToResult: '2-6 weeks',
  risk: 'This page’s canonical names a page whose own canonical names yet another one. Search engines may distrust the chain and choose a URL themselves.',
  steps: [
    'Decide which URL of the group should be indexed.',
    'In your SEO plugin’s settings or in the template, put that URL into the canonical of every other version: `<link rel="canonical" href="YOUR MAIN PAGE ADDRESS">`.',
    'Give the page at that URL a canonical with its own URL.',
    'Open the URL in this page’s canonical, view the source there, and make sure the canonical in it names that same URL.',
  ],
  example: null,
  tags: ['canonical'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => canonicalTarget(page, site)?.answer.page?.facts != null,
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    const original = target?.answer.page ?? null;
    if (target === null || original === null || isSelfCanonical(original)) return [];
    const next = canonicalOf(original)?.url ?? null;
    if (next === null) return [];
    return [
      {
        evidence: seen(page, target.canonical.place, `${page.url} → ${target.canonical.href} → ${next}`),
        message: `The canonical address ${target.canonical.href} names ${next} as its own original.`,
        snippet: isLast(next, page, site) ? canonicalSet(page, site, target.canonical.place, next) : null,
      },
    ];
  },
});

/** The end of the chain, on this site. */
function isLast(url: string, { outcome }: HtmlPage, site: Crawl): boolean {
  const answer = siteIndex(site).answerOf(url);
  const page = answer?.page ?? null;
  return hostOf(url) === hostOf(outcome.url) && answer?.redirects === 0 && page?.facts != null && isSelfCanonical(page);
}
