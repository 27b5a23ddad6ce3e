import { excerpt } from '../../excerpt.ts';
import { hasJsonLd, htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { isNode, isReference, listOf, typesOfNode } from '../schemaOrg/schemaNodes.ts';

export const jsonldContext = pageCheck({
  id: 'jsonld-context',
  title: 'Structured data lacks a schema.org context or type',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Markup is recognized.',
  timeToResult: '1-3 weeks',
  risk: 'Without context and type the data has no meaning.',
  steps: ['Add @context and @type.'],
  example: { before: null, after: '{"@context":"https://schema.org","@type":"Article"}' },
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
