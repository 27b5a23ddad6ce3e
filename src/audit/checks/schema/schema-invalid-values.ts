import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { SCHEMA_NEEDS } from '../schemaOrg/schemaNeeds.ts';
import {
  countsAs,
  eachNode,
  nodesOf,
  type SchemaNode,
  textOf,
  typesOfNode,
  valuesOf,
} from '../schemaOrg/schemaNodes.ts';
import { datesAtOdds, timeProblem, valueProblem } from '../schemaOrg/schemaValues.ts';

export const schemaInvalidValues = pageCheck({
  id: 'schema-invalid-values',
  title: 'Structured data has invalid values',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Your dates, prices, and URLs are read exactly as you mean them.',
  timeToResult: '2-4 weeks',
  risk: 'The structured data has values that search engines can’t read or that contradict each other, such as a price with a currency sign or an event that ends before it starts, so search engines ignore them.',
  steps: [
    'In the plugin’s settings or the template that writes the structured data, find the property that this report lists.',
    'If its form is wrong, write dates like `2030-05-01`, prices as plain numbers with a decimal point, currencies as three-letter codes such as USD, and URLs in full with https://.',
    'If it’s empty or holds a leftover template variable, fill it in or remove it.',
    'If its date has passed or contradicts another one, correct or remove it.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure the value is gone or corrected and it reports no errors.',
  ],
  example: null,
  tags: ['schema'],
  source: 'schema.org property ranges (https://schema.org/)',
  appliesTo: (page) => htmlPage(page) && nodesOf(page.facts).length > 0,
  run: function* (page, site) {
    const now = Date.parse(site.coverage.startedAt);
    const faults: Fault[] = [];
    yield* eachNode(page.facts, ({ node, selector }) => {
      const [type = ''] = typesOfNode(node);
      const isOffer = typesOfNode(node).some((name) => countsAs(name, 'Offer'));
      for (const property of Object.keys(node)) {
        const isFormOnly = isJudgedElsewhere(node, property);
        const problemOf = (item: unknown): string | null =>
          typeof item === 'object'
            ? null
            : ((isFormOnly ? null : valueProblem(property, item)) ?? timeProblem(property, item, now, isOffer));
        const bad = valuesOf(node, property).find((item) => problemOf(item) !== null);
        if (bad === undefined) continue;
        faults.push({
          evidence: seen(page, `${selector} ${type}.${property}`, String(bad)),
          message: `${type || 'A node'} has the ${property} "${excerpt(String(bad), 80)}": ${problemOf(bad)}.`,
        });
      }
      for (const { property, value, problem } of datesAtOdds((name) => textOf(node, name)))
        faults.push({
          evidence: seen(page, `${selector} ${type}.${property}`, value),
          message: `${type || 'A node'} has the ${property} "${excerpt(value, 80)}": ${problem}.`,
        });
    });
    return faults;
  },
});

/** The form of dates is covered by the check for their type, so that one fault gives one finding. */
function isJudgedElsewhere(node: SchemaNode, property: string): boolean {
  return DATED.some(
    ([type, dates]) => dates.includes(property) && typesOfNode(node).some((name) => countsAs(name, type)),
  );
}

const DATED = Object.entries(SCHEMA_NEEDS).map(([type, needs]): readonly [string, readonly string[]] => [
  type,
  'dates' in needs ? needs.dates : [],
]);
