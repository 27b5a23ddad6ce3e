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
  risk: 'Search engines may show a different title from the one you want people to see.',
  steps: [
    'View the page’s source and search the head for title elements.',
    'Keep the one you want, and remove the others where they come from, usually the theme or an SEO plugin.',
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
