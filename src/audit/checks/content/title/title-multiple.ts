import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { html } from '../../lookups/siteCode.ts';
import { inHead } from '../../lookups/snippets.ts';

export const titleMultiple = pageCheck({
  id: 'title-multiple',
  title: 'More than one title element',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The title you wrote is the only one search engines find.',
  timeToResult: '2-4 weeks',
  risk: 'The page’s head has more than one title, so search engines may not show the one you want.',
  steps: [
    'View the page source, search the `<head>` for `<title>`, and decide which one to keep.',
    'Turn off the title in the SEO plugin, reload the source, and see which one is gone. If none is, look in the theme: search its header template for `<title>`.',
    'Turn off the ones you don’t need in those settings, or remove them from the template. You can’t edit them in the page source itself.',
    'View the page source again and make sure the `<head>` has one `<title>`.',
  ],
  example: { before: '<title>YOUR OLD TITLE</title>\n<title>YOUR TITLE</title>', after: '<title>YOUR TITLE</title>' },
  tags: ['title'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: htmlPage,
  run: (page) => {
    const titles = page.facts.titles.filter((title) => title.inHead);
    if (titles.length < 2) return [];
    return [
      {
        evidence: seen(page, 'head > title', titles.map(({ text }) => text).join(' | ')),
        message: `The head has ${titles.length} title elements; only the first counts.`,
        snippet: inHead('head > title', `<title>${html(titles[0]?.text ?? '')}</title>`),
      },
    ];
  },
});
