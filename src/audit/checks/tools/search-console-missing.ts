import { hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const searchConsoleMissing = siteCheck({
  id: 'search-console-missing',
  title: 'No sign of search engine consoles',
  category: 'tools',
  group: 'webmaster',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Free data on queries, errors and AI traffic.',
  timeToResult: '1-2 weeks',
  risk: 'You miss warnings straight from the search engines.',
  steps: ['Verify the site in Google Search Console and Bing Webmaster Tools.'],
  example: { before: null, after: '<meta name="google-site-verification" content="...">' },
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
        message: 'No verification tag of a search console was found. A proof by DNS or by file cannot be seen here.',
      },
    ];
  },
});

const VERIFIES =
  /^(?:google-site-verification|msvalidate\.01|yandex-verification|baidu-site-verification|naver-site-verification)$/;
