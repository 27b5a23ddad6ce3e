import { hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { businessesOf, faultsOfBusinesses, placeOf } from '../lookups/businesses.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';

export const localbusinessSchema = siteCheck({
  id: 'localbusiness-schema',
  title: 'Local business markup is missing or incomplete',
  category: 'schema',
  group: 'local',
  impact: 'high',
  difficulty: 'easy',
  minutes: 45,
  gain: 'Search and AI answers can give people your address, opening hours and phone number.',
  timeToResult: '2-8 weeks',
  risk: 'Search engines and assistants can’t be sure where your business is and when it’s open.',
  steps: [
    'Add LocalBusiness JSON-LD, or a more specific type such as Restaurant or Dentist, to the home page or to the page of the location.',
    'Fill in name and address first, then telephone, openingHoursSpecification, geo and url.',
    'Use the same details as on the page and in your Google Business Profile.',
    'With several locations, give each one a page and markup of its own. Skip this if the address takes no visitors.',
  ],
  example: schemaExample({
    '@type': 'LocalBusiness',
    name: 'YOUR BUSINESS NAME',
    url: 'YOUR HOME PAGE ADDRESS',
    telephone: 'YOUR PHONE NUMBER',
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'YOUR STREET ADDRESS',
      addressLocality: 'YOUR CITY',
      postalCode: 'YOUR POSTAL CODE',
      addressCountry: 'YOUR COUNTRY CODE',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 'YOUR LATITUDE', longitude: 'YOUR LONGITUDE' },
    openingHoursSpecification: [
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['YOUR OPEN DAYS'],
        opens: 'YOUR OPENING TIME',
        closes: 'YOUR CLOSING TIME',
      },
    ],
  }),
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
