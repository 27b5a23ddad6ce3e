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
  gain: 'Snippets and AI answers can only quote pages that permit it.',
  timeToResult: '1-2 weeks',
  risk: 'Without a snippet the page is ineligible for AI Overviews and looks bare in results.',
  steps: ['Drop nosnippet, or use data-nosnippet on the single passage to hide.'],
  example: { before: null, after: '<meta name="robots" content="max-snippet:-1, max-image-preview:large">' },
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
