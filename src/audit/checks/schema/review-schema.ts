import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { ratingProblem, ratingsOf } from '../lookups/ratings.ts';
import { isTypeReadable, namesType, textOf } from '../schemaOrg/schemaNodes.ts';

/** Between two pauses: a page may have thousands. */
const RATINGS_AT_ONCE = 64;

export const reviewSchema = pageCheck({
  id: 'review-schema',
  title: 'Ratings are invalid',
  category: 'schema',
  group: 'review',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Stars that are accepted.',
  timeToResult: '2-6 weeks',
  risk: 'Invalid ratings are dropped and can bring a manual action.',
  steps: ['Use real ratings of a concrete item.'],
  example: { before: null, after: '{"@type":"AggregateRating","ratingValue":"4.6","reviewCount":"128"}' },
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
