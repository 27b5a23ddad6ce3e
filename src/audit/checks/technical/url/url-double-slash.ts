import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const urlDoubleSlash = pageCheck({
  id: 'url-double-slash',
  title: 'URL has two slashes in a row',
  category: 'technical',
  group: 'url',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'All links to the page count toward one URL.',
  timeToResult: '2-6 weeks',
  risk: 'This URL has two slashes in a row. The page usually loads with a single slash too, so search engines find it under two URLs.',
  steps: [
    'Correct the link or template that builds this URL. A common cause is a base address that ends with a slash, joined to a path that starts with one.',
    'Set up a 301 redirect from the URL with two slashes to the one with a single slash, in your CMS, your web host’s control panel, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Open the URL with two slashes and make sure your browser ends up at the one with a single slash.',
  ],
  // No code is written: the link stands on other pages.
  example: { before: '/YOUR FOLDER//YOUR PAGE', after: '/YOUR FOLDER/YOUR PAGE' },
  tags: ['url', 'duplicate'],
  source:
    'Google Search Central: URL structure (https://developers.google.com/search/docs/crawling-indexing/url-structure)',
  appliesTo: isIndexable,
  run: (page) => {
    const path = pathOf(page.outcome.url).split('?', 1)[0] ?? '';
    // Archives keep a whole address in the path.
    const bare = path.replace(/https?:\/\//gi, '');
    if (!bare.includes('//')) return [];
    return [
      {
        evidence: seen(page, 'url', path),
        message: `The path ${path} has two slashes in a row.`,
      },
    ];
  },
});
