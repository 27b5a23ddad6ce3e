import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { arePagesComplete, hasStartPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { somePage } from '../../lookups/pages.ts';
import { pathOf, siteIndex } from '../../lookups/siteIndex.ts';
import { CONTACT_PAGE } from '../../phrases.ts';
import { namesType } from '../../schemaOrg/schemaNodes.ts';

export const contactMissing = siteCheck({
  id: 'contact-missing',
  title: 'No contact or about information',
  category: 'content',
  group: 'trust',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 60,
  businessValue: 'Trust signals raise conversions and credibility.',
  timeToResult: '4-8 weeks',
  why: 'Nobody can tell who is behind the site.',
  fix: 'Publish about and contact pages and link them in the footer.',
  codeExample: null,
  tags: ['trust', 'eeat'],
  source:
    'Google Search Central: Creating helpful content (https://developers.google.com/search/docs/fundamentals/creating-helpful-content)',
  appliesTo: hasStartPage,
  gathered: arePagesComplete,
  run: function* (site) {
    const { htmlPages, start } = siteIndex(site);
    const found = yield* somePage(
      site,
      ({ url, facts }) =>
        CONTACT_PAGE.test(pathOf(url)) ||
        facts.links.some(
          (link) =>
            /^(?:tel|mailto):/i.test(hrefOf(link)) ||
            CONTACT_PAGE.test(nameOf(link)) ||
            (link.url !== null && CONTACT_PAGE.test(pathOf(link.url))),
        ) ||
        namesType(facts, 'PostalAddress'),
    );
    if (found || start === null) return [];
    return [
      {
        evidence: seen(start, 'links', `${plural(htmlPages.length, 'page')} looked at`),
        message: `None of the ${plural(htmlPages.length, 'crawled page')} names or links to a contact page, a phone number, an email address or a postal address.`,
      },
    ];
  },
});
