import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { directivePlace, withoutDirectives } from '../../lookups/directives.ts';

export const nosnippet = pageCheck({
  id: 'nosnippet',
  title: 'Page forbids text snippets',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Search results and AI answers can quote your page.',
  timeToResult: '1-2 weeks',
  risk: 'Search results show this page without any text from it, and Google’s AI Overviews can’t quote it.',
  steps: [
    'Remove nosnippet or max-snippet:0 from the robots meta tag or X-Robots-Tag header shown in the finding.',
    'To hide only certain passages, put the data-nosnippet attribute on a span, div, or section around them.',
  ],
  example: {
    before: '<meta name="robots" content="nosnippet">',
    after: '<meta name="robots" content="max-snippet:-1, max-image-preview:large">',
  },
  tags: ['snippet', 'ai'],
  source:
    'Google Search Central: AI features and your website (https://developers.google.com/search/docs/appearance/ai-features)',
  appliesTo: isIndexable,
  run: (page) => {
    const place = directivePlace(page, hidesText);
    if (place === null) return [];
    return [
      {
        evidence: place.evidence,
        message: `"${place.evidence.value}" forbids every text snippet of this page.`,
        snippet: withoutDirectives(place, hidesText),
      },
    ];
  },
});

const hidesText = (directive: string): boolean => directive === 'nosnippet' || /^max-snippet:\s*0$/.test(directive);
