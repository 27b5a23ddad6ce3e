import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const urlUnderscores = pageCheck({
  id: 'url-underscores',
  title: 'URL uses underscores, uppercase or spaces',
  category: 'technical',
  group: 'url',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Clean addresses are easier to share and remember.',
  timeToResult: '4-8 weeks',
  risk: 'Words joined by underscores are harder to separate, and case variants duplicate pages.',
  steps: ['Use lower-case words joined by hyphens for new pages.'],
  example: { before: null, after: '/blue-running-shoes' },
  tags: ['url'],
  source:
    'Google Search Central: URL structure (https://developers.google.com/search/docs/crawling-indexing/url-structure)',
  appliesTo: isIndexable,
  run: (page) => {
    const path = pathOf(page.outcome.url);
    const found = [
      /_/.test(path) && 'underscores',
      /[A-Z]/.test(path.replace(/%[0-9A-F]{2}/gi, '')) && 'capital letters',
      /%20/.test(path) && 'blanks',
      /\+/.test(path) && 'plus signs',
    ].filter((part) => part !== false);
    if (found.length === 0) return [];
    return [
      {
        evidence: seen(page, 'url', path),
        message: `The path ${path} has ${found.join(' and ')}.`,
      },
    ];
  },
});
