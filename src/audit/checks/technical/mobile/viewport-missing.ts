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
  gain: 'The page adapts to phone screens and can be read without zooming.',
  timeToResult: '1-3 weeks',
  risk: 'The page has no working viewport tag. Phones shrink the desktop layout until it’s too small to read, and Google goes by the page that phones get.',
  steps: [
    'Add `<meta name="viewport" content="width=device-width, initial-scale=1">` to the `<head>` of the page template, replacing any other viewport tag.',
    'View the page on a phone. Where content is wider than the screen, take fixed widths out of the CSS (for example, replace `width: 960px` with `max-width: 960px`), and give images `max-width: 100%`.',
    'View the page source and make sure the tag appears there once. On a phone, make sure the text is readable without zooming.',
  ],
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
