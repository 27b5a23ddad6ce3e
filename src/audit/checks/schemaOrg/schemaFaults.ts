/** Structured data faults that follow directly from the table of needs. */
import { excerpt } from '../../excerpt.ts';
import type { Fault, HtmlPage } from '../check.ts';
import { seen } from '../evidence.ts';
import { lacksOf, type NeedyType } from './schemaNeeds.ts';
import { isReference, nodesOfType, type PlacedNode, textOf } from './schemaNodes.ts';

/** Nodes of the type with properties of their own. */
export function describedNodes(page: HtmlPage, type: NeedyType): readonly PlacedNode[] {
  return nodesOfType(page.facts, type).filter(isDescribed);
}

export function isDescribed({ node }: PlacedNode): boolean {
  return !isReference(node);
}

/** `The event "Tea night" lacks startDate.` Missing recommended properties are hints. */
export function faultsOfType(page: HtmlPage, type: NeedyType, noun: string): Fault[] {
  return describedNodes(page, type).flatMap((placed) => faultsOfNode(page, placed, type, noun));
}

export function faultsOfNode(page: HtmlPage, { node, selector }: PlacedNode, type: NeedyType, noun: string): Fault[] {
  const { required, recommended, unreadable } = lacksOf(node, type, page.facts);
  const name = textOf(node, 'name') ?? textOf(node, 'title');
  const subject = name === null ? `The ${noun}` : `The ${noun} "${excerpt(name, 80)}"`;
  const faults: Fault[] = [];
  if (required.length > 0)
    faults.push({
      evidence: seen(page, `${selector} ${type}`, `missing: ${required.join(', ')}`),
      message: `${subject} lacks ${required.join(', ')}.`,
    });
  if (unreadable.length > 0)
    faults.push({
      evidence: seen(page, `${selector} ${type}`, unreadable.join(', ')),
      message: `${subject} has the ${unreadable.join(' and the ')}, which is not written as ISO 8601 wants it.`,
    });
  if (recommended.length > 0 && required.length === 0)
    faults.push({
      evidence: seen(page, `${selector} ${type}`, `missing: ${recommended.join(', ')}`),
      message: `${subject} would be more useful with ${recommended.join(', ')}.`,
      hint: true,
    });
  return faults;
}
