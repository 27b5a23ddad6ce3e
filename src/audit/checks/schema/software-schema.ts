import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const softwareSchema = pageCheck({
  id: 'software-schema',
  title: 'Software markup is incomplete',
  category: 'schema',
  group: 'software',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search results can show the price and rating of your app.',
  timeToResult: '2-6 weeks',
  risk: 'Google shows a rich result for an app only if the markup has a name, a price and a rating or review.',
  steps: [
    'Add the properties named in the finding to the SoftwareApplication markup.',
    'State the price in offers; for a free app it is 0.',
    'Add aggregateRating or review if users really rated the app and the page shows it. Never make ratings up: the markup is still useful without them.',
  ],
  example: schemaExample({
    '@type': 'SoftwareApplication',
    name: 'YOUR APP NAME',
    operatingSystem: 'YOUR OPERATING SYSTEM',
    applicationCategory: 'YOUR APP CATEGORY',
    offers: { '@type': 'Offer', price: 'YOUR PRICE', priceCurrency: 'YOUR CURRENCY CODE' },
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: 'YOUR AVERAGE RATING',
      ratingCount: 'YOUR NUMBER OF RATINGS',
    },
  }),
  tags: ['schema', 'software'],
  source:
    'Google Search Central: SoftwareApplication structured data (https://developers.google.com/search/docs/appearance/structured-data/software-app)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'SoftwareApplication'),
  gathered: (page) => isTypeReadable(page.facts, 'SoftwareApplication'),
  run: (page) => faultsOfType(page, 'SoftwareApplication', 'software'),
});
