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
  risk: 'The app’s markup lacks some properties. Google shows a rich result for an app only if the markup has a name, a price, and a rating or review.',
  steps: [
    'In the plugin’s settings or the template that writes the SoftwareApplication markup (JSON-LD), add the properties that this report lists for the page.',
    'State the price in `offers`: `"offers": { "@type": "Offer", "price": "4.99", "priceCurrency": "USD" }`. If the app is free, the `price` is 0, and the currency isn’t needed.',
    'Add `aggregateRating` or `review` only if users really rated the app and the page shows it. Never make up ratings: the markup is still useful without them.',
    'Run the page through Google’s Rich Results Test and make sure it reports no errors, except for the rating if the app has none.',
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
