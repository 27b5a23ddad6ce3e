import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { addressKey } from '../../lookups/siteIndex.ts';

export const hreflangDuplicate = pageCheck({
  id: 'hreflang-duplicate',
  title: 'hreflang lists several pages for one language',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Visitors get the version you meant for them.',
  timeToResult: '3-8 weeks',
  risk: 'The page’s hreflang links list several pages for the same language. Search engines can’t tell which of them to show and may ignore them all.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, keep one URL for each language, or for each combination of language and country.',
    'If the pages are meant for different countries, add the country to the code: `hreflang="en-US"` and `hreflang="en-GB"`.',
    'If they’re copies, keep only the link to the page that the canonical names.',
    'View the page source and make sure each hreflang code appears there once.',
  ],
  example: {
    before:
      '<link rel="alternate" hreflang="en" href="YOUR US PAGE">\n<link rel="alternate" hreflang="en" href="YOUR UK PAGE">',
    after:
      '<link rel="alternate" hreflang="en-US" href="YOUR US PAGE">\n<link rel="alternate" hreflang="en-GB" href="YOUR UK PAGE">',
  },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: hasHreflang,
  run: (page) => {
    const targets = new Map<string, Map<string, string>>();
    for (const { hreflang, url } of hreflangsOf(page)) {
      if (url === null) continue;
      const code = hreflang.trim().toLowerCase();
      const known = targets.get(code) ?? new Map<string, string>();
      targets.set(code, known.set(addressKey(url), url));
    }
    return [...targets]
      .filter(([, urls]) => urls.size > 1)
      .map(([code, urls]) => {
        const [first, second] = [...urls.values()];
        return {
          evidence: seen(page, `link[hreflang="${code}"]`, [...urls.values()].join(', ')),
          message: `The page names ${urls.size} pages as its ${code} version, such as ${first} and ${second}.`,
        };
      });
  },
});
