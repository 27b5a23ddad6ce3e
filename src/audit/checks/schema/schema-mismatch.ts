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
  gain: 'Keeps rich results and credibility.',
  timeToResult: '2-4 weeks',
  risk: 'Markup that differs from the page breaks the guidelines.',
  steps: ['Fill the markup from the same source as the page.'],
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
