import type { PageFacts } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { arePagesComplete, hasStartPage } from '../../applies.ts';
import { type HtmlPage, siteCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { somePage } from '../../lookups/pages.ts';
import { pathOf, siteIndex } from '../../lookups/siteIndex.ts';
import { CONTACT_PAGE } from '../../phrases.ts';
import { eachNode, has, namesType } from '../../schemaOrg/schemaNodes.ts';

export const contactMissing = siteCheck({
  id: 'contact-missing',
  title: 'No contact or about information',
  category: 'content',
  group: 'trust',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 60,
  gain: 'Trust signals raise conversions and credibility.',
  timeToResult: '4-8 weeks',
  risk: 'Nobody can tell who is behind the site.',
  steps: ['Publish about and contact pages and link them in the footer.'],
  example: null,
  tags: ['trust', 'eeat'],
  source:
    'Google Search Central: Creating helpful content (https://developers.google.com/search/docs/fundamentals/creating-helpful-content)',
  looksIn: [
    'text of pages',
    'address elements',
    'links to numbers and mail addresses',
    'names of links',
    'addresses of links',
    'addresses of pages',
    'structured data',
  ],
  appliesTo: hasStartPage,
  gathered: arePagesComplete,
  run: function* (site) {
    const { htmlPages, start } = siteIndex(site);
    if (start === null || (yield* somePage(site, showsContact))) return [];
    for (const { facts } of htmlPages) {
      yield;
      if (yield* describesContact(facts)) return [];
    }
    return [
      {
        evidence: seen(start, 'links', `${plural(htmlPages.length, 'page')} looked at`),
        message: `None of the ${plural(htmlPages.length, 'crawled page')} has a phone number, an email address or a postal address in its text, links or structured data, or links to a contact or about page.`,
      },
    ];
  },
});

/** In its text, an address element, its links (`tel:`, `mailto:`, and pages by name or address), or its own address. */
function showsContact({ url, facts }: HtmlPage): boolean {
  return (
    facts.contact !== undefined ||
    facts.visiting?.address != null ||
    CONTACT_PAGE.test(pathOf(url)) ||
    facts.links.some(
      (link) =>
        /^(?:tel|sms|mailto|whatsapp):/i.test(hrefOf(link)) ||
        CONTACT_PAGE.test(nameOf(link)) ||
        (link.url !== null && CONTACT_PAGE.test(pathOf(link.url))),
    )
  );
}

const DESCRIBED = ['telephone', 'email', 'contactPoint', 'address', 'faxNumber'] as const;

/** In its structured data. */
function* describesContact(facts: PageFacts): Pausable<boolean> {
  let found = namesType(facts, 'PostalAddress') || namesType(facts, 'ContactPoint');
  if (!found)
    yield* eachNode(facts, ({ node }) => {
      found ||= DESCRIBED.some((property) => has(node, property));
    });
  return found;
}
