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
  gain: 'You see your search queries, indexing errors and warnings, free of charge.',
  timeToResult: '1-2 weeks',
  risk: 'If no search console is set up, you miss warnings about indexing problems and hacked pages.',
  steps: [
    'If the site is already verified, for example by DNS or an uploaded file, ignore this.',
    'Add the site to Google Search Console and Bing Webmaster Tools.',
    'Verify that you own it, with a DNS record or with the meta tag each tool gives you for the head of the home page.',
    'Submit your sitemap in both tools.',
  ],
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
