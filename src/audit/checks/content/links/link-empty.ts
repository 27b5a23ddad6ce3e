import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import type { LinkFact, PageFacts } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { keepingRecent } from '../../../recent.ts';
import { hasLinks } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { nameOfTarget, sharedPlace } from '../../lookups/linkNames.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
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
    'Right-click each link, choose Inspect, and make sure its `<a>` tag is gone or has text, an image with `alt` text, or an `aria-label`.',
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
          snippet: named(link, page.facts, site),
        },
      ];
    }),
});

/** Of links with a name, which the code would change, too, or with more than one image or icon. */
const others = keepingRecent(
  (facts: PageFacts) =>
    new Set(
      facts.links.flatMap((link) => (nameOf(link) !== '' || link.holds === 'elements' ? [sharedPlace(link)] : [])),
    ),
);

/** Named after the page it leads to: by its image, if it holds one. */
function named(link: LinkFact, facts: PageFacts, site: Crawl): Snippet | null {
  const name = others(facts).has(sharedPlace(link)) ? null : nameOfTarget(link.url, site);
  if (name === null) return null;
  return link.holds === 'image'
    ? inPlaceOf(`${linkPlace(link)} > img`, `<img alt="${html(name)}">`)
    : inPlaceOf(linkPlace(link), `<a href="${html(hrefOf(link))}" aria-label="${html(name)}">`);
}
