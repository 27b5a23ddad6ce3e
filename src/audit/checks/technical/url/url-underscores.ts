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
  gain: 'New pages get URLs that are easy to read, type, and share.',
  timeToResult: '4-8 weeks',
  risk: 'Google recommends hyphens because words joined by underscores are harder to tell apart. Uppercase letters can give the same page several URLs.',
  steps: [
    'For new pages, use lowercase words joined by hyphens.',
    'Keep existing URLs as they are, because renaming them does more harm than good.',
    'If a page loads in both uppercase and lowercase, choose one URL as its canonical, and use it in all your links.',
  ],
  example: { before: '/Two_Words', after: '/two-words' },
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
