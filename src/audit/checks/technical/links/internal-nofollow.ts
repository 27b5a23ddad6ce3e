import type { Snippet } from '../../../../model/findings.ts';
import type { LinkFact, PageFacts } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { keepingRecent } from '../../../recent.ts';
import { htmlPage, isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { sharedPlace } from '../../lookups/linkNames.ts';
import { areKnown, internalLinks } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const internalNofollow = pageCheck({
  id: 'internal-nofollow',
  title: 'Internal links have nofollow',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Your internal links help your own pages get found and rank.',
  timeToResult: '2-6 weeks',
  risk: 'Links to your own pages carry nofollow. It asks search engines not to follow them, so the pages they lead to may gain nothing from them.',
  steps: [
    'If crawlers should skip a link, such as to a log-in page, leave it. Otherwise remove `nofollow` from the `rel` attribute of the links that this report lists, in the content or the template.',
    'If a plugin adds it, turn that off in the plugin’s settings.',
    'If a linked page should stay out of search, add `<meta name="robots" content="noindex">` to that page instead.',
    'View the page source, search for nofollow, and make sure only links to other sites and those you left have it.',
  ],
  example: {
    before: '<a href="YOUR PAGE ADDRESS" rel="nofollow">YOUR LINK TEXT</a>',
    after: '<a href="YOUR PAGE ADDRESS">YOUR LINK TEXT</a>',
  },
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
          snippet: withoutNofollow(link, page.facts),
        },
      ];
    }),
});

/** Addresses of links that say more about themselves. */
const saidMore = keepingRecent(
  (facts: PageFacts) => new Set(facts.links.flatMap((link) => (link.rel.length > 1 ? [sharedPlace(link)] : []))),
);

/** Null if other words stand beside it, here or in a link to the same address. */
function withoutNofollow(link: LinkFact, facts: PageFacts): Snippet | null {
  return saidMore(facts).has(sharedPlace(link))
    ? null
    : { edits: 'element', operation: 'remove', at: linkPlace(link), text: 'rel="nofollow"' };
}
