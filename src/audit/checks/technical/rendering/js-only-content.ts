import { isFilledByScript } from '../../../facts/appShell.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const jsOnlyContent = pageCheck({
  id: 'js-only-content',
  title: 'Main content is missing from the raw HTML',
  category: 'technical',
  group: 'rendering',
  impact: 'high',
  difficulty: 'hard',
  minutes: 480,
  gain: 'Makes the content visible to assistants and to search engines at first crawl.',
  timeToResult: '2-6 weeks',
  risk: 'Most AI crawlers read only the delivered HTML, so they see an empty page.',
  steps: ['Render on the server or pre-render the public pages.'],
  example: { before: null, after: '// Next.js: use a server component or generateStaticParams for public pages' },
  tags: ['javascript', 'rendering', 'ai'],
  source:
    'GoogleChrome/chromium-dashboard PR 6581 (observed); Google: JavaScript SEO basics (https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics)',
  appliesTo: htmlPage,
  run: (page) => {
    const { rendered } = page.facts;
    if (rendered === undefined && !isFilledByScript(page.facts)) return [];
    const { emptyAppRoot, noscript, bodyWordCount } = rendered ?? page.facts;
    const evidence = emptyAppRoot === null ? seen(page, 'noscript', noscript) : seen(page, emptyAppRoot, 'empty');
    return [
      {
        evidence,
        delivered: true,
        message: `The delivered HTML holds ${plural(bodyWordCount, 'word')}; the rest appears only when scripts run.`,
      },
    ];
  },
});
