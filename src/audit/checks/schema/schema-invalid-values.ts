import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { SCHEMA_NEEDS } from '../schemaOrg/schemaNeeds.ts';
import { countsAs, listOf, nodesOf, type SchemaNode, typesOfNode } from '../schemaOrg/schemaNodes.ts';
import { timeProblem, valueProblem } from '../schemaOrg/schemaValues.ts';

export const schemaInvalidValues = pageCheck({
  id: 'schema-invalid-values',
  title: 'Structured data has invalid values',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  businessValue: 'Facts are taken over correctly.',
  timeToResult: '2-4 weeks',
  why: 'Invalid values are ignored.',
  fix: 'Correct the listed values.',
  codeExample: null,
  tags: ['schema'],
  source: 'schema.org property ranges (https://schema.org/)',
  appliesTo: (page) => htmlPage(page) && nodesOf(page.facts).length > 0,
  run: (page, site) => {
    const now = Date.parse(site.coverage.startedAt);
    return nodesOf(page.facts).flatMap(({ node, selector }) =>
      Object.entries(node).flatMap(([property, value]) => {
        const isFormOnly = isJudgedElsewhere(node, property);
        const problemOf = (item: unknown): string | null =>
          typeof item === 'object'
            ? null
            : ((isFormOnly ? null : valueProblem(property, item)) ?? timeProblem(property, item, now));
        const bad = listOf(value).find((item) => problemOf(item) !== null);
        if (bad === undefined) return [];
        const place = `${selector} ${typesOfNode(node)[0] ?? ''}.${property}`;
        return [
          {
            evidence: seen(page, place, String(bad)),
            message: `${typesOfNode(node)[0] ?? 'A node'} has the ${property} "${excerpt(String(bad), 80)}": ${problemOf(bad)}.`,
          },
        ];
      }),
    );
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
