import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { hreflangsOf, isLanguage } from '../../lookups/language/hreflangs.ts';
import { alternateLink } from '../../lookups/language/languageCode.ts';
import { addressKey } from '../../lookups/siteIndex.ts';
import { addedToHead } from '../../lookups/snippets.ts';

export const hreflangNoSelf = pageCheck({
  id: 'hreflang-no-self',
  title: 'hreflang doesn’t include the page itself',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The list of versions will be complete, so search engines can rely on it.',
  timeToResult: '2-6 weeks',
  risk: 'The page’s hreflang links list other language versions but not the page itself. Search engines may not accept an incomplete list.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, add an hreflang link with the page’s own language and full URL, such as `<link rel="alternate" hreflang="en" href="YOUR ENGLISH PAGE">` on the English page. If a template writes these links, have it print each page’s own URLs; don’t type one page’s URL into it.',
    'Put the same complete list on every version.',
    'View the page source of each version and make sure that its list names all versions, including itself.',
  ],
  example: {
    before: '<!-- on the English page -->\n<link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">',
    after:
      '<!-- on the English page -->\n<link rel="alternate" hreflang="en" href="YOUR ENGLISH PAGE">\n<link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">',
  },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: hasHreflang,
  run: (page) => {
    const own = new Set([page.outcome.url, canonicalOf(page)?.url ?? page.outcome.url].map(addressKey));
    const versions = hreflangsOf(page);
    if (versions.some(({ url }) => url !== null && own.has(addressKey(url)))) return [];
    const lang = page.facts.lang?.trim() ?? '';
    return [
      {
        evidence: seen(page, 'link[hreflang]', versions.map(({ hreflang }) => hreflang).join(', ')),
        message: `The page lists ${plural(versions.length, 'language version')}, but not itself.`,
        snippet:
          !/^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(lang) || !isLanguage(lang.split('-')[0] ?? '')
            ? null
            : addedToHead(alternateLink(lang, page.outcome.url)),
      },
    ];
  },
});
