import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import type { LinkFact } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { hasLinks, htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { ownSubject } from '../../lookups/siteFacts.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const linkEmpty = pageCheck({
  id: 'link-empty',
  title: 'Links without any text',
  category: 'content',
  group: 'links',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Usable with read-aloud and understandable to crawlers.',
  timeToResult: '2-4 weeks',
  risk: 'Nobody can tell where the link goes.',
  steps: ['Add text, alt or aria-label.'],
  example: { before: null, after: '<a href="/cart" aria-label="Shopping cart">...</a>' },
  tags: ['links', 'accessibility'],
  source: 'axe-core rule link-name (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'link-name',
  appliesTo: hasLinks,
  run: (page, site) =>
    page.facts.links.flatMap((link) => {
      if (link.silent === true || nameOf(link) !== '') return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link to ${hrefOf(link) || '(empty)'} has no text, no image description and no label.`,
          snippet: labelOf(link, site),
        },
      ];
    }),
});

/** The main heading of the page it leads to. */
function labelOf(link: LinkFact, site: Crawl): Snippet | null {
  const target = link.url === null ? null : (siteIndex(site).answerOf(link.url)?.page ?? null);
  const subject = target !== null && htmlPage(target) ? ownSubject(target, site) : null;
  return subject === null
    ? null
    : inPlaceOf(linkPlace(link), `<a href="${html(hrefOf(link))}" aria-label="${html(subject)}">`);
}
