import { parseUrl } from '../../../../model/parseUrl.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { html } from '../../lookups/siteCode.ts';

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
    return [
      {
        evidence: seen(page, 'link[rel=canonical]', list.join(', ')),
        message: `The page names ${urls.size} different canonical addresses.`,
        code: `<link rel="canonical" href="${html(page.outcome.url)}">`,
      },
    ];
  },
});
