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
  title: 'No contact details or About page found',
  category: 'content',
  group: 'trust',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 60,
  gain: 'Visitors see who is behind the site and how to get in touch.',
  timeToResult: '4-8 weeks',
  risk: 'The site doesn’t seem to have contact details or an About page, so visitors can’t tell who runs it or how to reach you, and are slow to trust it. We looked only at the text, links, and structured data of the crawled pages, so details in images may have been missed.',
  steps: [
    'If you have no About page, publish one that says who you are, what you do, and where you’re based.',
    'If you have no Contact page, publish one with at least one way to reach you: an email address, a phone number, or a form.',
    'Link both in the footer of every page, in your footer menu or template: `<a href="YOUR CONTACT PAGE ADDRESS">Contact</a>`.',
    'If the law where you do business asks for more, such as a legal notice, publish that, too. A chamber of commerce or a lawyer can tell you what it asks for.',
    'Open any page, click both links in its footer, and make sure the About page and the Contact page open.',
  ],
  example: {
    before: null,
    after:
      '<footer>\n  <a href="YOUR ABOUT PAGE ADDRESS">About</a>\n  <a href="YOUR CONTACT PAGE ADDRESS">Contact</a>\n</footer>',
  },
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
