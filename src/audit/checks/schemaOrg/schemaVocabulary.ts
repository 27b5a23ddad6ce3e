/** Names in a page's structured data that do not exist in schema.org. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import type { Pausable } from '../../timeSlices.ts';
import { eachNode, isNode, listOf, type SchemaNode, typesOfNode } from './schemaNodes.ts';
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

/**
 * Without duplicates, in slices. Skips data that uses another vocabulary besides schema.org, and prefixed names.
 */
export function* unknownNames(facts: PageFacts): Pausable<readonly UnknownName[]> {
  const others = new Set(
    facts.structuredData.filter(({ value }) => !(value ?? []).every(isPlain)).map(({ selector }) => selector),
  );
  const found = new Map<string, UnknownName>();
  const add = (of: string | null, name: string, selector: string): void => {
    const key = `${of} ${name}`;
    if (found.has(key)) return;
    found.set(key, { name, of, meant: of === null ? typeMeantBy(name) : propertyMeantBy(name), selector });
  };
  yield* eachNode(facts, ({ node, selector }) => {
    if (others.has(selector)) return;
    const types = typesOfNode(node);
    for (const type of types) if (isBare(type) && !isSchemaType(type)) add(null, type, selector);
    for (const property of Object.keys(node))
      if (isBare(property) && !isSchemaProperty(property)) add(types[0] ?? null, property, selector);
  });
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
