import { hasCanonical, hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherLanguage = pageCheck({
  id: 'canonical-other-language',
  title: 'Canonical points to another language version',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Each language version can be indexed and shown to the people who read that language.',
  timeToResult: '2-6 weeks',
  risk: 'This page’s canonical names a version in another language, so it asks search engines to index that version instead. That contradicts its hreflang links.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, give each language version a canonical with its own URL: `<link rel="canonical" href="YOUR PAGE ADDRESS">`.',
    'Connect the versions with hreflang links only, such as `<link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">`.',
    'View the page source of each version and make sure its canonical names the URL of that version.',
  ],
  example: {
    before: '<html lang="de">\n<link rel="canonical" href="YOUR ENGLISH PAGE">',
    after: '<html lang="de">\n<link rel="canonical" href="YOUR GERMAN PAGE">',
  },
  tags: ['canonical', 'hreflang'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: (page) => hasCanonical(page) && hasHreflang(page),
  run: (page, site) => {
    const canonical = canonicalOf(page);
    const listed = new Set(hreflangsOf(page).map(({ url }) => url));
    if (
      canonical === null ||
      canonical.url === page.outcome.url ||
      !listed.has(canonical.url) ||
      !listed.has(page.outcome.url)
    )
      return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `The canonical address ${canonical.href} is another language version of this page.`,
        snippet: canonicalSet(page, site, canonical.place, page.outcome.url),
      },
    ];
  },
});
