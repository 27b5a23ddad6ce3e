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
  title: 'Links without text',
  category: 'content',
  group: 'links',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Screen reader users and search engines know where each link leads.',
  timeToResult: '2-4 weeks',
  risk: 'Links on the page have no text, so screen readers can only read out the URL, and search engines get no hint of what the linked page is about.',
  steps: [
    'In the editor or the template, find each link that this report lists. If it’s an empty leftover, delete it.',
    'If the link should show words, write a text that names the linked page: `<a href="YOUR LINK ADDRESS">YOUR LINK TARGET</a>`.',
    'If it holds an image, name the linked page in the image’s `alt` attribute.',
    'If it holds only an icon, name the linked page in a label: `<a href="YOUR LINK ADDRESS" aria-label="YOUR LINK TARGET">`.',
    'Right-click each link, choose Inspect, and make sure its `<a>` tag has text, an image with `alt` text, or an `aria-label`.',
  ],
  example: {
    before: '<a href="YOUR LINK ADDRESS"><svg></svg></a>',
    after: '<a href="YOUR LINK ADDRESS" aria-label="YOUR LINK TARGET"><svg aria-hidden="true"></svg></a>',
  },
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
