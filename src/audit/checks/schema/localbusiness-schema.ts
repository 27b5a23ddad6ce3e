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
  gain: 'Search and AI answers can give people your location, opening hours, and phone number.',
  timeToResult: '2-8 weeks',
  risk: 'The markup for your business is missing or incomplete, so search engines and AI assistants can’t be sure where it is and when it’s open.',
  steps: [
    'If the business takes no visitors at its address, leave this as it is.',
    'Otherwise, in your SEO plugin’s settings or in the template, add or complete LocalBusiness JSON-LD (a script of the type `application/ld+json`) on the home page or the location’s page.',
    'Use the type LocalBusiness or a closer one, such as Restaurant. Fill in `name` and `address` first, then `telephone`, `openingHoursSpecification`, `geo`, and `url`, with the same details as on the page and in your Google Business Profile.',
    'If you have several locations, give each one a page and markup of its own.',
    'Run the page through Google’s Rich Results Test and make sure it detects the local business and reports no errors.',
  ],
  // No code is written: an address cannot be told apart into its parts for certain.
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
  looksIn: ['JSON-LD of the home page', 'JSON-LD of other pages', 'nodes in a @graph', 'nested nodes', 'microdata'],
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
