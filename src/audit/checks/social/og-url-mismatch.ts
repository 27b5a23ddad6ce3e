import { parseUrl } from '../../../model/parseUrl.ts';
import { hasCanonical, htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { canonicalOf, sameAddress } from '../lookups/canonicals.ts';
import { propertyOf } from '../lookups/siteCode.ts';
import { metaSet } from '../lookups/snippets.ts';

export const ogUrlMismatch = pageCheck({
  id: 'og-url-mismatch',
  title: 'og:url differs from the canonical',
  category: 'social',
  group: 'open-graph',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Likes and shares gather on one address.',
  timeToResult: '1-2 weeks',
  risk: 'Share counts and signals split.',
  steps: ['Use the canonical in og:url.'],
  example: null,
  tags: ['open-graph', 'canonical'],
  source: 'Screaming Frog SEO Spider issue library: Open Graph (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => hasCanonical(page) && htmlPage(page) && propertyOf(page, 'og:url') !== null,
  run: (page) => {
    const written = propertyOf(page, 'og:url') ?? '';
    const canonical = canonicalOf(page)?.url ?? null;
    const named = parseUrl(written, page.outcome.url);
    if (canonical === null || (named !== null && sameAddress(named.href, canonical))) return [];
    return [
      {
        evidence: seen(page, 'head > meta[property="og:url"]', written),
        message: `og:url is ${written}, the canonical address ${canonical}.`,
        snippet: metaSet(page, 'property', 'og:url', canonical),
      },
    ];
  },
});
