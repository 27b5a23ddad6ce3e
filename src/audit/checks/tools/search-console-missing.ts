import { hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const searchConsoleMissing = siteCheck({
  id: 'search-console-missing',
  title: 'No Search Console verification found',
  category: 'tools',
  group: 'webmaster',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'You see your search queries, indexing errors, and warnings.',
  timeToResult: '1-2 weeks',
  risk: 'We found no sign that the site is verified in a search console. If it isn’t, you miss warnings about indexing problems and hacked pages.',
  steps: [
    'If the site is already verified, for example by DNS or an uploaded file, leave this as it is.',
    'Otherwise add the site to Google Search Console and Bing Webmaster Tools.',
    'Verify that you own it, with a DNS record at your domain provider, or with the tag that each tool gives you for the `<head>` of the home page, such as `<meta name="google-site-verification" content="YOUR VERIFICATION CODE">`.',
    'Submit the URL of your sitemap in both tools.',
    'Open both tools and make sure each lists the site as verified and the sitemap without errors.',
  ],
  // No code is written: the code is given by the search engine.
  example: { before: null, after: '<meta name="google-site-verification" content="YOUR VERIFICATION CODE">' },
  tags: ['webmaster'],
  source:
    'Google Search Central: Get started with Search Console (https://developers.google.com/search/docs/monitor-debug/search-console-start)',
  hint: true,
  looksIn: [
    'meta tags of Google',
    'meta tags of Bing',
    'meta tags of Yandex',
    'meta tags of Baidu',
    'meta tags of Naver',
  ],
  appliesTo: hasStartPage,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null || start.facts === null || start.facts.metas.some(({ name }) => VERIFIES.test(name))) return [];
    return [
      {
        evidence: seen(start, 'head > meta', 'no verification tag'),
        message:
          'No verification tag of a search console was found. Verification by DNS or by file can’t be seen from outside.',
      },
    ];
  },
});

const VERIFIES =
  /^(?:google-site-verification|msvalidate\.01|yandex-verification|baidu-site-verification|naver-site-verification)$/;
