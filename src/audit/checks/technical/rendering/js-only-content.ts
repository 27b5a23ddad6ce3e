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
  gain: 'Search engines and AI assistants can read your content as soon as they fetch the page.',
  timeToResult: '2-6 weeks',
  risk: 'The HTML that your server sends for this page is nearly empty until scripts run. Many AI crawlers don’t run scripts and see no content, and search engines see it only after rendering the page.',
  steps: [
    'Have your developer render public pages on the server, or generate them as static HTML when you build the site. Most frameworks have a mode for this.',
    'Make sure the HTML contains the headings, the text, and the links, not only the title.',
    'View the page source, search for a sentence of the page, and make sure it’s there.',
  ],
  // No code is written: how the server renders depends on the framework.
  example: {
    before: '<div id="root"></div>',
    after: '<div id="root">\n  <h1>YOUR PAGE SUBJECT</h1>\n  <p>YOUR PAGE CONTENT</p>\n</div>',
  },
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
