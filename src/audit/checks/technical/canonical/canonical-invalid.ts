import { parseUrl } from '../../../../model/parseUrl.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalInvalid = pageCheck({
  id: 'canonical-invalid',
  title: 'Canonical is not a valid absolute URL',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search engines will honor your canonical.',
  timeToResult: '2-4 weeks',
  risk: 'The page’s canonical isn’t a full, valid URL. If it’s broken, search engines ignore it. If it’s relative, it can end up pointing to the wrong place.',
  steps: [
    'In your SEO plugin’s settings for this page, enter the canonical as a full URL, starting with https:// and the host: this page’s own URL or, if the page is a copy, that of the original.',
    'If a template writes `<link rel="canonical" href="YOUR PAGE ADDRESS">`, have it print each page’s own full URL, and never an empty or undefined value. Don’t type one page’s URL into it: all pages that use the template would point to that one.',
    'View the source of this page and of another page, open the URL from each canonical in your browser, and make sure it starts with https:// and shows the page you meant.',
  ],
  example: {
    before: '<link rel="canonical" href="/YOUR PATH">',
    after: '<link rel="canonical" href="https://YOUR HOST/YOUR PATH">',
  },
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
              ? canonicalSet(page, site, place, url)
              : null,
        },
      ];
    }),
});
