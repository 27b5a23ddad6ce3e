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
  gain: 'Each page has one address that collects all its links.',
  timeToResult: '2-6 weeks',
  risk: 'The same page usually answers with one slash, too, so that there are two of it.',
  steps: ['Correct the link, and redirect the address to the one with single slashes.'],
  example: { before: null, after: '/blog//post → /blog/post' },
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
