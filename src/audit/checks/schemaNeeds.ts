/** What single kinds of structured data need to be of use. */
import { plural } from './evidence.ts';
import { has, isNode, listOf, type SchemaNode, textOf } from './schemaNodes.ts';

/** What stands for "one of these three" in a list of missing properties. */
export const OFFER_OR_OPINION = 'offers, review or aggregateRating';

/** Properties that a product lacks for a rich result. */
export function missingOfProduct(node: SchemaNode): string[] {
  const lacks = ['name', 'image'].filter((property) => !has(node, property));
  if (!['offers', 'review', 'aggregateRating'].some((property) => has(node, property))) return [...lacks, OFFER_OR_OPINION];
  for (const offer of listOf(node.offers)) {
    if (!isNode(offer)) continue;
    const specified = has(offer, 'priceSpecification');
    if (!specified && !has(offer, 'price') && !has(offer, 'lowPrice')) lacks.push('offers.price');
    if (!specified && !has(offer, 'priceCurrency')) lacks.push('offers.priceCurrency');
  }
  return [...new Set(lacks)];
}

/** Why a BreadcrumbList cannot be shown; null when it can. */
export function breadcrumbProblem(node: SchemaNode): string | null {
  const items = listOf(node.itemListElement).filter(isNode);
  if (items.length < 2) return `has ${plural(items.length, 'item')}; it needs at least two`;
  const positions = items.map((item) => Number(item.position)).sort((a, b) => a - b);
  if (positions.some((position, index) => position !== index + 1)) return `has the positions ${positions.join(', ')} instead of 1 to ${items.length}`;
  const nameless = items.find((item) => textOf(item, 'name') === null && textOf(item, 'item') === null);
  if (nameless !== undefined) return `has an item without a name at position ${String(nameless.position)}`;
  const unlinked = items.find((item) => Number(item.position) < items.length && !has(item, 'item'));
  return unlinked === undefined ? null : `has an item without an address at position ${String(unlinked.position)}`;
}
