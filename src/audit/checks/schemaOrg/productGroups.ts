/** Products in several variants: offers, ratings and images may stand in the group or in each of its variants. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import type { HtmlPage } from '../check.ts';
import { describedNodes } from './schemaFaults.ts';
import {
  has,
  isNode,
  listOf,
  nodesOfType,
  type PlacedNode,
  resolved,
  type SchemaNode,
  typesOfNode,
  valuesOf,
} from './schemaNodes.ts';

/** Of variants, and of the values that they have together. */
const MOST = 1_000;

const SHARED = ['offers', 'review', 'aggregateRating', 'image'] as const;

/** The first product that the page describes. */
export function describedProduct(page: HtmlPage): PlacedNode | undefined {
  const [found] = describedNodes(page, 'Product');
  return found && { ...found, node: withVariants(found.node, page.facts) };
}

/** The node; a group with what all of its variants have. */
function withVariants(node: SchemaNode, facts: PageFacts): SchemaNode {
  if (!typesOfNode(node).includes('ProductGroup')) return node;
  const variants = variantsOf(node, facts);
  if (variants.length === 0) return node;
  const shared = SHARED.filter(
    (property) => !has(node, property) && variants.every((variant) => has(variant, property)),
  );
  return {
    ...node,
    ...Object.fromEntries(
      shared.map((property) => [property, variants.flatMap((variant) => valuesOf(variant, property)).slice(0, MOST)]),
    ),
  };
}

/** Those that the page describes; others are named by their address alone. */
function variantsOf(group: SchemaNode, facts: PageFacts): SchemaNode[] {
  const named = listOf(group.hasVariant).map((value) => resolved(facts, value));
  const naming = nodesOfType(facts, 'Product').filter(({ node }) =>
    listOf(node.isVariantOf).some((value) => resolved(facts, value) === group),
  );
  // Thousands of references may name one variant.
  return [...new Set([...named, ...naming.map(({ node }) => node)])]
    .filter((value): value is SchemaNode => isNode(value) && SHARED.some((property) => has(value, property)))
    .slice(0, MOST);
}
