import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import type { LinkFact, PageFacts } from '../../../facts/pageFacts.ts';
import { hrefOf, languageOf } from '../../../facts/reading.ts';
import { keepingRecent } from '../../../recent.ts';
import { hasLinks } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { sameAddress } from '../../lookups/canonicals.ts';
import { nameOfTarget, saysNothing, sharedPlace } from '../../lookups/linkNames.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const linkTextGeneric = pageCheck({
  id: 'link-text-generic',
  title: 'Generic link text',
  category: 'content',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Search engines and readers learn from the link text what the linked page is about.',
  timeToResult: '2-4 weeks',
  risk: 'The text of some links is only “click here” or “read more,” which says nothing about the page they link to.',
  steps: [
    'In the editor or the template, find each link that this report lists.',
    'If it’s in a sentence, reword the sentence so that the link text names the linked page: `<a href="YOUR LINK ADDRESS">YOUR LINK TARGET</a>`.',
    'If it’s a “Read more” link on a card, link the headline instead.',
    'Read only the link texts on the page, and make sure each one makes sense on its own.',
  ],
  example: {
    before: '<a href="YOUR LINK ADDRESS">Read more</a>',
    after: '<a href="YOUR LINK ADDRESS">YOUR LINK TARGET</a>',
  },
  tags: ['links', 'anchor'],
  source: 'Lighthouse: link-text',
  lighthouse: 'link-text',
  appliesTo: hasLinks,
  run: (page, site) =>
    page.facts.links.flatMap((link) => {
      if (
        !saysNothing(link.text, languageOf(link, page.facts)) ||
        link.rel.includes('nofollow') ||
        link.url === null ||
        sameAddress(link.url, page.outcome.url)
      )
        return [];
      return [
        {
          evidence: seen(page, linkPlace(link), link.text),
          message: `The text "${link.text}" does not say that the link leads to ${link.url}.`,
          snippet: named(link, page.facts, site),
        },
      ];
    }),
});

/** Of links with a good text, or with more than text: the code would replace that, too. */
const others = keepingRecent(
  (facts: PageFacts) =>
    new Set(
      facts.links.flatMap((link) =>
        link.holds !== undefined || !saysNothing(link.text, languageOf(link, facts)) ? [sharedPlace(link)] : [],
      ),
    ),
);

/** Named after the page it leads to. */
function named(link: LinkFact, facts: PageFacts, site: Crawl): Snippet | null {
  const name = others(facts).has(sharedPlace(link)) ? null : nameOfTarget(link.url, site);
  return name === null ? null : inPlaceOf(linkPlace(link), `<a href="${html(hrefOf(link))}">${html(name)}</a>`);
}
