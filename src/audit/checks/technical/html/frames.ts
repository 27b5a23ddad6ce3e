import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const frames = pageCheck({
  id: 'frames',
  title: 'Page is made of frames',
  category: 'technical',
  group: 'html',
  impact: 'high',
  difficulty: 'hard',
  minutes: 240,
  gain: 'Each page can be found, linked and read on a phone.',
  timeToResult: '4-12 weeks',
  risk: 'The address shows an empty shell; search results lead into frames without the rest of the site, and phones shrink them.',
  steps: ['Give each page an address of its own, with the navigation in it.'],
  example: { before: null, after: '<nav><a href="/products/">Products</a></nav>\n<main>…</main>' },
  tags: ['html', 'mobile'],
  source:
    'WHATWG HTML: obsolete features, frame and frameset (https://html.spec.whatwg.org/multipage/obsolete.html#frames)',
  appliesTo: htmlPage,
  run: (page) => {
    const named = page.facts.resources.filter(({ kind }) => kind === 'frame');
    const [first] = named;
    if (first === undefined) return [];
    const paths = named.map(({ url }) => pathOf(url)).join(', ');
    return [
      {
        evidence: seen(page, first.selector, paths),
        message: `The page is a shell of ${plural(named.length, 'frame')}: ${paths}.`,
      },
    ];
  },
});
