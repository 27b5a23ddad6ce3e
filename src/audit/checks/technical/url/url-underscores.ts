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
  risk: 'This URL is harder to read and share than it needs to be. If it has underscores, its words are harder to tell apart, which is why Google recommends hyphens. If it has uppercase letters, the same page can get several URLs. If it has spaces, links to it can break when people copy them.',
  steps: [
    'Keep existing URLs as they are, because renaming them does more harm than good.',
    'For new pages, use lowercase words joined by hyphens, such as /two-words. In most CMSs, you set this in the page’s URL or slug field.',
    'If a page loads in both uppercase and lowercase, choose one URL, enter it as the page’s canonical in your SEO plugin’s settings or the template, and use it in all your links.',
    'Look at the URL of the next page you publish and make sure it has only lowercase letters, digits, and hyphens. This report keeps listing the old URLs, which you can leave.',
  ],
  // No code is written: a living address is not renamed for its looks.
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
