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
  risk: 'The structured data has values that visitors can’t see on the page, which breaks Google’s guidelines and can cost the page its rich results. We compared the texts word by word, so look at the page before you change anything.',
  steps: [
    'Compare the value that this report lists with what visitors see on the page. If both say the same in different words, leave them as they are.',
    'If the page is right, correct the value in the plugin’s settings or the template that writes the structured data.',
    'If the structured data is right, show the value on the page.',
    'If you can, fill both from the same field of your database or template so that they never differ again.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure the value it lists is the one that visitors see.',
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
