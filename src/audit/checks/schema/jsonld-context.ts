import { excerpt } from '../../excerpt.ts';
import { hasJsonLd, htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { isNode, isReference, listOf, typesOfNode } from '../schemaOrg/schemaNodes.ts';

export const jsonldContext = pageCheck({
  id: 'jsonld-context',
  title: 'Structured data lacks a schema.org context or type',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search engines recognize what your structured data is about.',
  timeToResult: '1-3 weeks',
  risk: 'The structured data doesn’t name schema.org as its context, or doesn’t say what type of thing it describes, so search engines ignore it.',
  steps: [
    'Open the plugin’s settings or the template that writes the JSON-LD, and set `"@context"` at the top of each block to schema.org, with https:// in front.',
    'Give every node a type from schema.org, such as `"@type": "Organization"`, including each node inside an `"@graph"`.',
    'Make sure each block holds an object (in braces) or a list of objects, not plain text.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it lists each type you set and reports no errors.',
  ],
  example: {
    ...schemaExample({ '@type': 'Organization', name: 'YOUR ORGANIZATION NAME', url: 'YOUR HOME PAGE ADDRESS' }),
    before: JSON.stringify({ name: 'YOUR ORGANIZATION NAME', url: 'YOUR HOME PAGE ADDRESS' }, null, 2),
  },
  tags: ['schema', 'json-ld'],
  source: 'JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/)',
  appliesTo: (page) =>
    hasJsonLd(page) &&
    htmlPage(page) &&
    page.facts.structuredData.some((data) => data.syntax === 'json-ld' && data.value !== null),
  run: (page) =>
    page.facts.structuredData.flatMap(({ syntax, value, selector, raw }) => {
      if (syntax !== 'json-ld' || value === null) return [];
      const problem = value.map(problemOf).find((found) => found !== null) ?? null;
      return problem === null
        ? []
        : [{ evidence: seen(page, selector, excerpt(raw, 160)), message: `A JSON-LD block ${problem}.` }];
    }),
});

const SCHEMA_ORG = /^(?:https?:)?\/\/(?:www\.)?schema\.org\/?$/i;

function namesSchemaOrg(context: unknown): boolean {
  return listOf(context).some((part) =>
    typeof part === 'string'
      ? SCHEMA_ORG.test(part.trim())
      : isNode(part) && Object.values(part).some((inner) => typeof inner === 'string' && SCHEMA_ORG.test(inner.trim())),
  );
}

function problemOf(node: unknown): string | null {
  if (!isNode(node)) return 'holds a value that isn’t an object';
  if (node['@context'] === undefined) return 'has no @context';
  if (!namesSchemaOrg(node['@context']))
    return `names the context ${excerpt(JSON.stringify(node['@context']), 80)} instead of https://schema.org`;
  const graph = node['@graph'];
  const members = graph === undefined ? [node] : listOf(graph);
  return members.some((member) => isNode(member) && typesOfNode(member).length === 0 && !isReference(member))
    ? 'holds a node without @type'
    : null;
}
