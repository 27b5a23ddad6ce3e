import { hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { businessesOf, faultsOfBusinesses, placeOf } from '../lookups/businesses.ts';

export const localbusinessSchema = siteCheck({
  id: 'localbusiness-schema',
  title: 'Local business data is missing or incomplete',
  category: 'schema',
  group: 'local',
  impact: 'high',
  difficulty: 'easy',
  minutes: 45,
  gain: 'More calls and visits from local searches.',
  timeToResult: '2-8 weeks',
  risk: 'Assistants cannot tell where and when you are open.',
  steps: ['Add LocalBusiness.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"LocalBusiness","name":"Example","address":{"@type":"PostalAddress","streetAddress":"1 Main St","addressLocality":"Town","postalCode":"12345","addressCountry":"US"},"telephone":"+1-555-0100"}',
  },
  tags: ['schema', 'local'],
  source:
    'Google Search Central: LocalBusiness structured data (https://developers.google.com/search/docs/appearance/structured-data/local-business)',
  looksIn: ['JSON-LD of the start page', 'JSON-LD of other pages', 'nodes in a @graph', 'nested nodes', 'microdata'],
  appliesTo: function* (site) {
    return hasStartPage(site) && (yield* businessesOf(site)).areThere;
  },
  gathered: function* (site) {
    return (yield* businessesOf(site)).areReadable;
  },
  complete: function* (site) {
    return (yield* businessesOf(site)).beyond === 0;
  },
  run: function* (site) {
    const businesses = yield* businessesOf(site);
    if (businesses.areMarked) return yield* faultsOfBusinesses(businesses);
    const page = yield* placeOf(site);
    const { hours = null, address = null } = page?.facts.visiting ?? {};
    if (page === null) return [];
    return [
      {
        evidence: seen(page, 'body', hours ?? address ?? ''),
        message: `The site shows ${hours === null ? 'a postal address' : 'opening hours'} ("${hours ?? address}"), but does not mark up the business that people can visit.`,
        // An address alone may be an office that takes no visitors.
        hint: hours === null,
      },
    ];
  },
});
