import { indexableContent } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { headingOf, metaOf, metaTag, pictureOf, propertyOf } from '../lookups/siteCode.ts';

export const ogMissing = pageCheck({
  id: 'og-missing',
  title: 'No Open Graph tags',
  category: 'social',
  group: 'open-graph',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Shared links look good and get clicked.',
  timeToResult: 'immediate',
  risk: 'Shared links appear without picture and title.',
  steps: ['Add the four basic tags.'],
  example: {
    before: null,
    after:
      '<meta property="og:title" content="..."><meta property="og:type" content="website"><meta property="og:url" content="https://example.com/"><meta property="og:image" content="https://example.com/share.jpg">',
  },
  tags: ['open-graph'],
  source: 'The Open Graph protocol (https://ogp.me/)',
  appliesTo: indexableContent,
  run: (page) => {
    const absent = ['og:title', 'og:type', 'og:image', 'og:url'].filter(
      (name) => propertyOf(page, name) === null && metaOf(page, name) === null,
    );
    if (absent.length === 0) return [];
    const values: Readonly<Record<string, string>> = {
      'og:title': headingOf(page),
      'og:type': 'website',
      'og:image': pictureOf(page) ?? `${new URL(page.url).origin}/preview.jpg`,
      'og:url': page.outcome.url,
    };
    const message =
      absent.length === 4
        ? 'The page has no Open Graph tags, so shared links show whatever a service guesses.'
        : `Missing: ${absent.join(', ')}.`;
    return [
      {
        evidence: seen(page, 'head > meta[property]', `missing: ${absent.join(', ')}`),
        message,
        impact: absent.length === 4 ? 'medium' : 'low',
        code: absent.map((name) => metaTag('property', name, values[name] ?? '')).join('\n'),
      },
    ];
  },
});
