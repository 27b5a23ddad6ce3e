import { parseUrl } from '../../../../model/parseUrl.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalConflict = pageCheck({
  id: 'canonical-conflict',
  title: 'Several different canonical addresses',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'One clear address gathers all signals.',
  timeToResult: '2-4 weeks',
  risk: 'Conflicting hints make search engines ignore all of them.',
  steps: ['Keep a single canonical.'],
  example: null,
  tags: ['canonical'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: (page) => htmlPage(page) && canonicalsOf(page).length > 0,
  run: (page) => {
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
        snippet: place !== null && urls.has(page.outcome.url) ? canonicalSet(page, place, page.outcome.url) : null,
      },
    ];
  },
});
