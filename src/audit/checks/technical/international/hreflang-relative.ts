import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { alternateLink, alternateSet } from '../../lookups/language/languageCode.ts';

export const hreflangRelative = pageCheck({
  id: 'hreflang-relative',
  title: 'hreflang uses a relative URL',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search engines will read every hreflang link the way you mean it.',
  timeToResult: '2-6 weeks',
  risk: 'An hreflang link on this page has only a path instead of a full URL. Search engines expect full URLs there and may ignore the link.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, write each hreflang URL in full, with https:// and the host.',
    'If a template builds the links, add the site’s address there.',
    'View the page source and make sure the `href` of every hreflang link starts with https://.',
  ],
  example: {
    before: '<link rel="alternate" hreflang="de" href="/de/YOUR PATH">',
    after: '<link rel="alternate" hreflang="de" href="https://YOUR HOST/de/YOUR PATH">',
  },
  tags: ['hreflang'],
  source: 'Lighthouse: hreflang',
  lighthouse: 'hreflang',
  appliesTo: hasHreflang,
  run: (page) =>
    hreflangsOf(page).flatMap(({ hreflang, href, url, place }) => {
      if (/^https?:/i.test(href)) return [];
      return [
        {
          evidence: seen(page, place, href),
          message: `The ${hreflang} version has the relative address "${href}".`,
          snippet: url === null ? null : alternateSet(page, place, alternateLink(hreflang, url)),
        },
      ];
    }),
});
