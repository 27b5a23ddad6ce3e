/** A page's structured data nodes by type: JSON-LD with @graph, and microdata. */

import type { PageFacts } from '../../facts/pageFacts.ts';
import { shortType } from '../../facts/structuredData.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import { isKindOf, isSchemaType } from './schemaTypes.ts';

export type SchemaNode = { readonly [property: string]: unknown };

export type PlacedNode = {
  readonly node: SchemaNode;
  readonly selector: string;
  /** The property that it is a value of; null for a node that stands by itself, as in `@graph`. */
  readonly of: string | null;
};

/** Subtypes in the vocabulary that search engines treat as something else. */
const NOT_MEANT: Readonly<Record<string, readonly string[]>> = {
  Article: ['SocialMediaPosting', 'DiscussionForumPosting', 'APIReference'],
  Event: ['BroadcastEvent', 'OnDemandEvent', 'PublicationEvent', 'DeliveryEvent'],
  Product: ['Vehicle', 'Car', 'Motorcycle', 'BusOrCoach', 'MotorizedBicycle'],
  Review: ['ClaimReview'],
};

/** By these properties a page says what it is about or who runs it; by others, what a thing on it has to do with. */
const OWN: ReadonlySet<string | null> = new Set([
  null,
  'about',
  'copyrightHolder',
  'event',
  'hasPart',
  'item',
  'itemListElement',
  'mainEntity',
  'publisher',
  'sourceOrganization',
  'subEvent',
]);

/** Whether the page speaks of the node itself, such as its publisher, not of one nested in something else. */
export const isOwn = ({ of }: PlacedNode): boolean => OWN.has(of);

const kinds = new Map<string, boolean>();

/** Whether a type is the other one or a subtype of it. */
export function countsAs(type: string, other: string): boolean {
  const key = `${type} ${other}`;
  let counts = kinds.get(key);
  if (counts === undefined) {
    counts = isSchemaType(type) && isKindOf(type, other) && NOT_MEANT[other]?.includes(type) !== true;
    // Cache only vocabulary types: a page may name any number of others.
    if (isSchemaType(type)) kinds.set(key, counts);
  }
  return counts || type === other;
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Many nodes may refer to one, and each asks for its values: no property needs more of them to be judged. */
const MOST_VALUES = 100;
const MOST_TYPES = 20;
const LONGEST_TEXT = 1_000;

/** The first values of a property. */
export function valuesOf(node: SchemaNode, property: string): readonly unknown[] {
  const values = listOf(node[property]);
  return values.length > MOST_VALUES ? values.slice(0, MOST_VALUES) : values;
}

const types = new WeakMap<SchemaNode, readonly string[]>();

export function typesOfNode(node: SchemaNode): readonly string[] {
  let found = types.get(node);
  if (found === undefined) {
    found = valuesOf(node, '@type')
      .slice(0, MOST_TYPES)
      .filter((type): type is string => typeof type === 'string')
      .map(shortType);
    types.set(node, found);
  }
  return found;
}

const walked = new WeakMap<PageFacts, readonly PlacedNode[]>();

/** All typed nodes of the page, including nested ones. */
export function nodesOf(facts: PageFacts): readonly PlacedNode[] {
  return walked.get(facts) ?? atOnce(walking(facts));
}

/** How many nodes are looked at between two pauses: a page may have 20,000. */
const NODES_AT_ONCE = 256;

function* walking(facts: PageFacts): Pausable<readonly PlacedNode[]> {
  const known = walked.get(facts);
  if (known !== undefined) return known;
  const nodes: PlacedNode[] = [];
  for (const { value, selector } of facts.structuredData) yield* typedNodes(value ?? [], selector, nodes);
  walked.set(facts, nodes);
  return nodes;
}

function* typedNodes(roots: readonly unknown[], selector: string, found: PlacedNode[]): Pausable<void> {
  const stack: unknown[] = [...roots].reverse();
  // The property of each.
  const places: (string | null)[] = stack.map(() => null);
  let looked = 0;
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    const of = places.pop() ?? null;
    looked += 1;
    if (looked % NODES_AT_ONCE === 0) yield;
    if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1) {
        stack.push(value[at]);
        places.push(of);
      }
    } else if (isNode(value)) {
      if (typesOfNode(value).length > 0) found.push({ node: value, selector, of });
      for (const [property, child] of Object.entries(value)) {
        if (typeof child !== 'object' || child === null) continue;
        stack.push(child);
        places.push(property === '@graph' ? null : property);
      }
    }
  }
}

/** Nodes of the type or its subtypes. */
export function nodesOfType(facts: PageFacts, type: string): readonly PlacedNode[] {
  return atOnce(gatheringNodes(facts, type));
}

/** The same in slices: a site check asks hundreds of pages, each of which may have thousands of nodes. */
export function* gatheringNodes(facts: PageFacts, type: string): Pausable<readonly PlacedNode[]> {
  const found: PlacedNode[] = [];
  if (mayHold(facts, type))
    yield* eachNode(facts, (placed) => {
      if (typesOfNode(placed.node).some((name) => countsAs(name, type))) found.push(placed);
    });
  return found;
}

/** Looks at every typed node of the page, in slices. */
export function* eachNode(facts: PageFacts, look: (placed: PlacedNode) => void): Pausable<void> {
  for (const [nth, placed] of (yield* walking(facts)).entries()) {
    if (nth % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield;
    look(placed);
  }
}

/** The types of JSON-LD are known without a walk; those of nested microdata are not. */
function mayHold(facts: PageFacts, type: string): boolean {
  return facts.structuredData.some(
    ({ syntax, types, value }) =>
      value !== null && (syntax !== 'json-ld' || types.some((name) => countsAs(name, type))),
  );
}

/** The type is named in any syntax, even if its properties could not be read. */
export function namesType(facts: PageFacts, type: string): boolean {
  return facts.structuredData.some((data) => data.types.some((name) => countsAs(name, type)));
}

/** Whether a property has a value: '' and empty lists do not count. */
export function has(node: SchemaNode, property: string): boolean {
  return valuesOf(node, property).some(
    (value) => value !== '' && value !== null && !(typeof value === 'string' && value.trim() === ''),
  );
}

/** The text of a property, or the name of a nested node, as far as it is compared. Null if there is none. */
export function textOf(node: SchemaNode, property: string): string | null {
  for (const value of valuesOf(node, property)) {
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, LONGEST_TEXT);
    if (typeof value === 'number') return String(value);
    if (isNode(value)) {
      const inner = valuesOf(value, value.name == null ? '@value' : 'name').find(
        (item): item is string => typeof item === 'string' && item.trim() !== '',
      );
      if (inner !== undefined) return inner.trim().slice(0, LONGEST_TEXT);
    }
  }
  return null;
}

/** A reference to another node: an object with only an @id. */
export function isReference(value: unknown): boolean {
  return isNode(value) && typeof value['@id'] === 'string' && Object.keys(value).length === 1;
}

/** The node on the page that a reference names; any other value unchanged. */
export function resolved(facts: PageFacts, value: unknown): unknown {
  if (!isReference(value)) return value;
  return namedNodes(facts).get((value as SchemaNode)['@id']) ?? value;
}

const named = new WeakMap<PageFacts, ReadonlyMap<unknown, SchemaNode>>();

/** The first node for each @id that is more than a reference. */
function namedNodes(facts: PageFacts): ReadonlyMap<unknown, SchemaNode> {
  const known = named.get(facts);
  if (known) return known;
  const nodes = new Map<unknown, SchemaNode>();
  for (const { node } of nodesOf(facts))
    if (node['@id'] !== undefined && !isReference(node) && !nodes.has(node['@id'])) nodes.set(node['@id'], node);
  named.set(facts, nodes);
  return nodes;
}

/** Every JSON-LD block of the page was read; otherwise nothing can be reported as missing. */
export function schemaIsReadable(facts: PageFacts | null | undefined): boolean {
  return facts?.structuredData.every((data) => data.syntax !== 'json-ld' || data.value !== null) === true;
}

/** The same for one type. RDFa gives only type names, not properties. */
export function isTypeReadable(facts: PageFacts | null | undefined, type: string): boolean {
  if (facts === null || facts === undefined || !schemaIsReadable(facts)) return false;
  return !namesType(facts, type) || nodesOfType(facts, type).length > 0;
}
