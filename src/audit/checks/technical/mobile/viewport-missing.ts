import { seenPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { metaSet } from '../../lookups/snippets.ts';

export const viewportMissing = pageCheck({
  id: 'viewport-missing',
  title: 'No mobile viewport',
  category: 'technical',
  group: 'mobile',
  impact: 'high',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Fixing this makes the page usable on phones.',
  timeToResult: '1-3 weeks',
  risk: 'Phones render the desktop layout zoomed out, and Google indexes mobile first.',
  steps: ['Add the viewport tag.'],
  example: { before: null, after: '<meta name="viewport" content="width=device-width, initial-scale=1">' },
  tags: ['mobile'],
  source:
    'Google Search Central: Mobile-first indexing (https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing)',
  lighthouse: 'viewport-insight',
  appliesTo: seenPage,
  run: (page) => {
    const viewport = page.facts.metas.find((meta) => meta.name === 'viewport')?.content;
    if (viewport !== undefined && /(?:^|[,;\s])(?:width|initial-scale)\s*=/i.test(viewport)) return [];
    return [
      {
        evidence: seen(page, 'head > meta[name=viewport]', viewport ?? 'missing'),
        message:
          viewport === undefined
            ? 'There is no viewport tag: phones show the page in its desktop width.'
            : `The viewport "${viewport}" sets neither width nor initial-scale.`,
        snippet: metaSet(page, 'name', 'viewport', 'width=device-width, initial-scale=1'),
      },
    ];
  },
});
