import { hasStartPage, isComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { describesPlace, faultsOfBusinesses, isMarkedBusiness, placesOf } from '../lookups/businesses.ts';
import { localBusinessCode } from '../lookups/profiles.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { isTypeReadable } from '../schemaOrg/schemaNodes.ts';

export const localbusinessSchema = siteCheck({
  id: 'localbusiness-schema',
  title: 'Local business data is missing or incomplete',
  category: 'schema',
  group: 'local',
  impact: 'high',
  difficulty: 'easy',
  minutes: 45,
  businessValue: 'More calls and visits from local searches.',
  timeToResult: '2-8 weeks',
  why: 'Assistants cannot tell where and when you are open.',
  fix: 'Add LocalBusiness.',
  codeExample:
    '{"@context":"https://schema.org","@type":"LocalBusiness","name":"Example","address":{"@type":"PostalAddress","streetAddress":"1 Main St","addressLocality":"Town","postalCode":"12345","addressCountry":"US"},"telephone":"+1-555-0100"}',
  tags: ['schema', 'local'],
  source:
    'Google Search Central: LocalBusiness structured data (https://developers.google.com/search/docs/appearance/structured-data/local-business)',
  appliesTo: (site) => hasStartPage(site) && siteIndex(site).htmlPages.some(describesPlace),
  gathered: (site) =>
    siteIndex(site).htmlPages.every((page) => isComplete(page) && isTypeReadable(page.facts, 'LocalBusiness')),
  run: (site) => {
    const marked = siteIndex(site).htmlPages.filter(isMarkedBusiness);
    if (marked.length > 0) return faultsOfBusinesses(marked);
    const [page] = placesOf(site);
    const { hours = null, address = null } = page?.facts.visiting ?? {};
    if (page === undefined) return [];
    return [
      {
        evidence: seen(page, 'body', hours ?? address ?? ''),
        message: `The site shows ${hours === null ? 'a postal address' : 'opening hours'} ("${hours ?? address}"), but does not mark up the business that people can visit.`,
        code: localBusinessCode(page, address),
        // An address alone may be an office that takes no visitors.
        hint: hours === null,
      },
    ];
  },
});
