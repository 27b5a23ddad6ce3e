import type { Snippet } from '../../../../model/findings.ts';
import type { LinkFact } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { htmlPage, isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { areKnown, internalLinks } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const internalNofollow = pageCheck({
  id: 'internal-nofollow',
  title: 'Internal links carry nofollow',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Authority flows to your own pages.',
  timeToResult: '2-6 weeks',
  risk: 'You ask crawlers not to count your own pages.',
  steps: ['Remove the attribute.'],
  example: null,
  tags: ['links', 'nofollow'],
  source:
    'Google Search Central: Qualify outbound links (https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links)',
  appliesTo: (page) => htmlPage(page) && internalLinks(page).length > 0,
  complete: (page, site) =>
    areKnown(
      internalLinks(page).filter((link) => link.rel.includes('nofollow')),
      site,
    ),
  run: (page, site) =>
    internalLinks(page).flatMap((link) => {
      const target = link.rel.includes('nofollow') ? (siteIndex(site).answerOf(link.url)?.page ?? null) : null;
      if (target === null || !isIndexable(target, site)) return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link "${nameOf(link) || hrefOf(link)}" to ${pathAndQueryOf(link.url)} carries rel="nofollow".`,
          snippet: withoutNofollow(link),
        },
      ];
    }),
});

/** Null if other words stand beside it. */
function withoutNofollow(link: LinkFact): Snippet | null {
  return link.rel.length > 1
    ? null
    : { edits: 'element', operation: 'remove', at: linkPlace(link), text: 'rel="nofollow"' };
}
