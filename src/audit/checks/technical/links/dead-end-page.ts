import { indexableContent, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { sameAddress } from '../../lookups/canonicals.ts';

export const deadEndPage = pageCheck({
  id: 'dead-end-page',
  title: 'Page links to nothing',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Readers move on inside your site.',
  timeToResult: '2-4 weeks',
  risk: 'Visitors and crawlers stop here.',
  steps: ['Add related links.'],
  example: null,
  tags: ['links'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: indexableContent,
  gathered: isComplete,
  run: (page) => {
    if (page.facts.resources.some(({ kind }) => kind === 'frame')) return [];
    if (page.facts.links.some((link) => link.url !== null && !sameAddress(link.url, page.outcome.url))) return [];
    return [
      {
        evidence: seen(page, 'body', plural(page.facts.totals.links, 'link')),
        message: 'The page links to no other address.',
      },
    ];
  },
});
