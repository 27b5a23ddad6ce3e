import { parseUrl } from '../../../../model/parseUrl.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalConflict = pageCheck({
  id: 'canonical-conflict',
  title: 'Page has conflicting canonicals',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'One clear canonical tells search engines which URL to index.',
  timeToResult: '2-4 weeks',
  risk: 'The page has several canonicals that name different URLs as the original. Search engines can’t follow them all and may ignore every one.',
  steps: [
    'View the page source and search for `rel="canonical"`. Then open the Network tab in your browser’s developer tools, reload the page, click its entry, and search the response headers for a `Link` header with `rel="canonical"`.',
    'Turn off the canonical in your SEO plugin, reload the page, and see which one is gone. If there’s another in the source, search your theme’s header template for it. A `Link` header comes from the server’s configuration or a plugin.',
    'Keep the one with the URL you want indexed, and remove the others in those places.',
    'Reload the page, look in the source and the response headers again, and make sure only the canonical that you kept is left.',
  ],
  example: {
    before: '<link rel="canonical" href="YOUR PAGE ADDRESS">\n<link rel="canonical" href="YOUR OTHER ADDRESS">',
    after: '<link rel="canonical" href="YOUR PAGE ADDRESS">',
  },
  tags: ['canonical'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: (page) => htmlPage(page) && canonicalsOf(page).length > 0,
  run: (page, site) => {
    const urls = new Set(
      canonicalsOf(page)
        .filter(({ url }) => url !== null)
        .flatMap(({ href }) => parseUrl(href)?.href ?? []),
    );
    if (urls.size < 2) return [];
    const list = [...urls];
    const places = new Set(canonicalsOf(page).map(({ place }) => place));
    const [place = null] = places.size === 1 ? places : [];
    return [
      {
        evidence: seen(page, 'link[rel=canonical]', list.join(', ')),
        message: `The page names ${urls.size} different canonical addresses.`,
        // Which of several others is meant, only the owner knows.
        snippet:
          place !== null && urls.has(page.outcome.url) ? canonicalSet(page, site, place, page.outcome.url) : null,
      },
    ];
  },
});
