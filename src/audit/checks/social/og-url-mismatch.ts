import { parseUrl } from '../../../model/parseUrl.ts';
import { hasCanonical, htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { canonicalOf, sameAddress } from '../lookups/canonicals.ts';
import { propertyOf } from '../lookups/siteCode.ts';
import { metaSet } from '../lookups/snippets.ts';

export const ogUrlMismatch = pageCheck({
  id: 'og-url-mismatch',
  title: 'Open Graph URL differs from the canonical',
  category: 'social',
  group: 'open-graph',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Likes and shares count for the address search engines show.',
  timeToResult: '1-2 weeks',
  risk: 'Social networks collect likes and shares under one address while search engines list another.',
  steps: [
    'Look up the address in the page’s canonical link and make sure it’s the right one.',
    'Put exactly the same address in og:url, with https, host and trailing slash alike.',
    'If different plugins write the two tags, set them both to the page’s canonical address.',
  ],
  example: {
    before: '<link rel="canonical" href="YOUR PAGE ADDRESS">\n<meta property="og:url" content="YOUR OTHER ADDRESS">',
    after: '<link rel="canonical" href="YOUR PAGE ADDRESS">\n<meta property="og:url" content="YOUR PAGE ADDRESS">',
  },
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
