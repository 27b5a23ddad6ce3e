/** Names in a page's structured data that do not exist in schema.org. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import { isNode, listOf, nodesOf, type SchemaNode, typesOfNode } from './schemaNodes.ts';
import { isSchemaProperty, propertyMeantBy } from './schemaProperties.ts';
import { isSchemaType, typeMeantBy } from './schemaTypes.ts';

/**
 * `of` is the type with the property; null if the name is a type itself. `meant` is the name that differs only in
 * letter case.
 */
export type UnknownName = {
  readonly name: string;
  readonly of: string | null;
  readonly meant: string | null;
  readonly selector: string;
};

const SCHEMA_ORG = /^(?:https?:)?\/\/(?:www\.)?schema\.org\/?$/i;

/** Without duplicates. Skips data that uses another vocabulary besides schema.org, and prefixed names. */
export function unknownNames(facts: PageFacts): readonly UnknownName[] {
  const others = new Set(
    facts.structuredData.filter(({ value }) => !(value ?? []).every(isPlain)).map(({ selector }) => selector),
  );
  const found = new Map<string, UnknownName>();
  const add = (unknown: UnknownName): void => {
    if (!found.has(`${unknown.of} ${unknown.name}`)) found.set(`${unknown.of} ${unknown.name}`, unknown);
  };
  for (const { node, selector } of nodesOf(facts)) {
    if (others.has(selector)) continue;
    const types = typesOfNode(node);
    for (const type of types)
      if (isBare(type) && !isSchemaType(type)) add({ name: type, of: null, meant: typeMeantBy(type), selector });
    for (const property of Object.keys(node))
      if (isBare(property) && !isSchemaProperty(property))
        add({ name: property, of: types[0] ?? null, meant: propertyMeantBy(property), selector });
  }
  return [...found.values()];
}

/** Not a prefixed name, a JSON-LD keyword or a URL. */
function isBare(name: string): boolean {
  return name !== '' && !name.startsWith('@') && !name.includes(':') && !name.includes('/');
}

function isPlain(root: unknown): boolean {
  if (!isNode(root)) return true;
  return contextsOf(root).every((context) => typeof context === 'string' && SCHEMA_ORG.test(context.trim()));
}

function contextsOf(root: SchemaNode): readonly unknown[] {
  return [root, ...listOf(root['@graph']).filter(isNode)].flatMap((node) => listOf(node['@context']));
}
