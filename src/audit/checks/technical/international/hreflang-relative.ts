import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { alternateLink } from '../../lookups/language/languageCode.ts';
import { inHead } from '../../lookups/snippets.ts';

export const hreflangRelative = pageCheck({
  id: 'hreflang-relative',
  title: 'hreflang uses a relative address',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'All language links count.',
  timeToResult: '2-6 weeks',
  risk: 'Relative addresses are not accepted.',
  steps: ['Write full addresses.'],
  example: null,
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
          snippet: url === null || !place.startsWith('head ') ? null : inHead(place, alternateLink(hreflang, url)),
        },
      ];
    }),
});
