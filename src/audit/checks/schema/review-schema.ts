import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { ratingProblem, ratingsOf } from '../lookups/ratings.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { isTypeReadable, namesType, textOf } from '../schemaOrg/schemaNodes.ts';

/** Between two pauses: a page may have thousands. */
const RATINGS_AT_ONCE = 64;

export const reviewSchema = pageCheck({
  id: 'review-schema',
  title: 'Rating or review markup is invalid',
  category: 'schema',
  group: 'review',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Genuine ratings can show as stars in search results.',
  timeToResult: '2-6 weeks',
  risk: 'Google can’t use a rating or review in the structured data. If it’s incomplete or out of range, Google ignores it. If it’s about your own company, Google shows no stars for it. Misleading ones can lead to a manual action (a penalty).',
  steps: [
    'In the plugin’s settings or the template that writes the markup, give each AggregateRating a `ratingValue` and a `ratingCount` or `reviewCount`, and each Review an `author` and a `reviewRating`.',
    'Keep `ratingValue` between `worstRating` and `bestRating`, which are 1 and 5 unless you state others.',
    'Put each rating inside the markup of the product, recipe, or other item that it’s about. If it’s about your own organization, remove the rating, and keep the rest of the organization’s markup.',
    'Never make up ratings: mark up only those that real people gave and that visitors can see on the page.',
    'Run the page through Google’s Rich Results Test and make sure it reports no errors for reviews, and none for your own organization are left.',
  ],
  example: schemaExample({
    '@type': 'Product',
    name: 'YOUR PRODUCT NAME',
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: 'YOUR AVERAGE RATING',
      reviewCount: 'YOUR NUMBER OF REVIEWS',
    },
  }),
  tags: ['schema', 'review'],
  source:
    'Google Search Central: Review snippet structured data (https://developers.google.com/search/docs/appearance/structured-data/review-snippet)',
  appliesTo: (page) => htmlPage(page) && (namesType(page.facts, 'AggregateRating') || namesType(page.facts, 'Review')),
  gathered: (page) => isTypeReadable(page.facts, 'AggregateRating') && isTypeReadable(page.facts, 'Review'),
  run: function* (page, site) {
    const faults: Fault[] = [];
    for (const [nth, rating] of ratingsOf(page.facts).entries()) {
      if (nth % RATINGS_AT_ONCE === RATINGS_AT_ONCE - 1) yield;
      const problem = ratingProblem(rating, page, site);
      if (problem === null) continue;
      const subject =
        rating.subject === null ? '' : ` of "${textOf(rating.subject, 'name') ?? ''}"`.replace(' of ""', '');
      faults.push({
        evidence: seen(page, `${rating.selector} ${rating.type}`, excerpt(JSON.stringify(rating.node), 160)),
        message: `The ${rating.type === 'Review' ? 'review' : 'rating'}${subject} ${problem}.`,
      });
    }
    return faults;
  },
});
