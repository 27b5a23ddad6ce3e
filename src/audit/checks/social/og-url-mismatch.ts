import { parseUrl } from '../../../model/parseUrl.ts';
import { hasCanonical, htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { canonicalOf, isSelfCanonical, sameAddress } from '../lookups/canonicals.ts';
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
  gain: 'Likes and shares count for the URL that search engines show.',
  timeToResult: '1-2 weeks',
  risk: 'The page’s og:url tag and its canonical tag have different URLs, so social networks collect likes and shares for one URL while search engines list another.',
  steps: [
    'View the page source, find `<link rel="canonical" href="YOUR PAGE ADDRESS">`, and make sure its URL is the right one.',
    'In your SEO plugin’s settings or in the template, put exactly the same URL in `<meta property="og:url" content="YOUR PAGE ADDRESS">`, including https, host, and trailing slash.',
    'If different plugins write the two tags, set both to the page’s canonical URL, or let one plugin write both.',
    'View the page source again and make sure both tags have the same URL.',
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
        // A canonical that names another page may itself be the fault.
        snippet: isSelfCanonical(page) ? metaSet(page, 'property', 'og:url', canonical) : null,
      },
    ];
  },
});
