/** Ratings and reviews in structured data, each with the node it is about. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { countsAs, has, isNode, isReference, listOf, nodesOf, resolved, type SchemaNode, textOf, typesOfNode } from '../schemaOrg/schemaNodes.ts';

export type Rating = {
  readonly type: 'AggregateRating' | 'Review';
  readonly node: SchemaNode;
  /** The rated node: the enclosing one or the one named; null if there is neither. */
  readonly subject: SchemaNode | null;
  readonly selector: string;
};

export function ratingsOf(facts: PageFacts): readonly Rating[] {
  const nodes = nodesOf(facts);
  const around = new Map<unknown, SchemaNode>();
  for (const { node } of nodes)
    for (const property of ['aggregateRating', 'review', 'reviews']) for (const value of listOf(node[property])) around.set(value, node);
  return nodes.flatMap(({ node, selector }) => {
    const type = typesOfNode(node).some((name) => countsAs(name, 'Review'))
      ? 'Review'
      : typesOfNode(node).includes('AggregateRating')
        ? 'AggregateRating'
        : null;
    if (type === null || isReference(node)) return [];
    const named = listOf(node.itemReviewed)
      .map((value) => resolved(facts, value))
      .find(isNode);
    return [{ type, node, subject: around.get(node) ?? named ?? null, selector }];
  });
}

/** Null if the rating is usable. */
export function ratingProblem({ type, node, subject }: Rating, facts: PageFacts): string | null {
  const { required } = lacksOf(node, type, facts);
  if (required.length > 0) return `lacks ${required.join(', ')}`;
  if (type === 'AggregateRating' && ['ratingCount', 'reviewCount'].every((name) => !has(node, name) || Number(textOf(node, name)) === 0))
    return 'counts no rating at all';
  const value =
    type === 'AggregateRating'
      ? node
      : listOf(node.reviewRating)
          .map((rating) => resolved(facts, rating))
          .find(isNode);
  const range = value === undefined ? null : rangeProblem(value);
  if (range !== null) return range;
  const isOwn = subject !== null && typesOfNode(subject).some((name) => countsAs(name, 'Organization'));
  return isOwn ? 'is one that an organization gives itself on its own site, which search engines do not show' : null;
}

/** Must be between worstRating and bestRating, by default 1 and 5. A decimal comma is a mistake, but readable. */
function rangeProblem(node: SchemaNode): string | null {
  const number = (name: string, fallback: number): number => {
    const text = textOf(node, name);
    return text === null ? fallback : Number(text.replace(',', '.').replace(/%$/, ''));
  };
  const [value, worst, best] = [number('ratingValue', Number.NaN), number('worstRating', 1), number('bestRating', 5)];
  if (Number.isNaN(value)) return `has the rating "${textOf(node, 'ratingValue') ?? ''}", which isn’t a number`;
  return value < worst || value > best ? `has the rating ${value}, outside ${worst} to ${best}` : null;
}
