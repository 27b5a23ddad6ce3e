import { parseUrl } from '../../../../model/parseUrl.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalInvalid = pageCheck({
  id: 'canonical-invalid',
  title: 'Canonical address is not a valid absolute URL',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The canonical starts to count.',
  timeToResult: '2-4 weeks',
  risk: 'Broken or relative canonicals are ignored or misread.',
  steps: ['Write the full https address.'],
  example: { before: null, after: '<link rel="canonical" href="https://example.com/page">' },
  tags: ['canonical'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: (page) => htmlPage(page) && canonicalsOf(page).length > 0,
  run: (page, site) =>
    canonicalsOf(page).flatMap(({ href, url, place }) => {
      const origin = parseUrl(href)?.origin ?? 'null';
      if (origin !== 'null') return [];
      const message =
        url === null
          ? `The canonical address "${href}" isn’t a web address.`
          : `The canonical address "${href}" is relative.`;
      return [
        {
          evidence: seen(page, place, href),
          message,
          // `www.example.com/page` is read as a path.
          snippet:
            url !== null && siteIndex(site).answerOf(url)?.outcome.status === 200
              ? canonicalSet(page, place, url)
              : null,
        },
      ];
    }),
});
