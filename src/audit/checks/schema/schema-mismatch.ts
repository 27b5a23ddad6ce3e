import { excerpt } from '../../excerpt.ts';
import { contentPage, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaIsReadable } from '../schemaOrg/schemaNodes.ts';

export const schemaMismatch = pageCheck({
  id: 'schema-mismatch',
  title: 'Structured data contradicts the visible page',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'The page stays eligible for rich results, and people find on it what the result promised.',
  timeToResult: '2-4 weeks',
  risk: 'Marking up what visitors can’t see breaks Google’s guidelines and can cost the page its rich results. The texts were compared word by word, so look before you change anything.',
  steps: [
    'Compare the value in the finding with what the page shows.',
    'Correct the markup if the page is right, or show the value on the page if the markup is right.',
    'Fill both from the same field of your database or template.',
  ],
  example: null,
  tags: ['schema'],
  source:
    'Google Search Central: Structured data policies (https://developers.google.com/search/docs/appearance/structured-data/sd-policies)',
  appliesTo: (page) => contentPage(page) && page.facts.claims.length > 0,
  gathered: (page) => isComplete(page) && schemaIsReadable(page.facts),
  run: (page) =>
    page.facts.claims
      .filter((claim) => !claim.seen)
      .map(({ property, value, selector }) => ({
        evidence: seen(page, `${selector} ${property}`, value),
        message: `Structured data says ${property} "${excerpt(value, 80)}", but the page does not show it.`,
      })),
});
