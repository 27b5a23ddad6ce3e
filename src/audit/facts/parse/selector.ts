/** Builds a short CSS selector for an element. Computed only for elements that end up in the facts. */
import { attributeOf, type Element, isElement, type ParentNode } from './element.ts';

const MAX_STEPS = 5;
const MAX_CLIMB = 64;
const LANDMARKS: ReadonlySet<string> = new Set(['main', 'header', 'footer', 'nav', 'aside', 'article']);
const SAFE_ID = /^[A-Za-z][\w-]{0,60}$/;

/** Counts a parent's children only as far as needed; elements arrive in document order, so the total work is linear. */
type Counted = { next: number; readonly perTag: Map<string, number>; readonly nth: WeakMap<Element, number> };

export type SelectorOf = (element: Element) => string;

export function createSelectors(): SelectorOf {
  const counted = new WeakMap<ParentNode, Counted>();

  function nthOfType(element: Element, parent: ParentNode): number {
    let known = counted.get(parent);
    if (known === undefined) {
      known = { next: 0, perTag: new Map(), nth: new WeakMap() };
      counted.set(parent, known);
    }
    const children = parent.childNodes;
    for (
      let found = known.nth.get(element);
      found === undefined && known.next < children.length;
      known.next += 1, found = known.nth.get(element)
    ) {
      const child = children[known.next];
      if (child === undefined || !isElement(child)) continue;
      const count = (known.perTag.get(child.tagName) ?? 0) + 1;
      known.perTag.set(child.tagName, count);
      known.nth.set(child, count);
    }
    return known.nth.get(element) ?? 1;
  }

  function step(element: Element, parent: ParentNode | null): string {
    if (parent === null || element.tagName === 'title') return element.tagName;
    return `${element.tagName}:nth-of-type(${nthOfType(element, parent)})`;
  }

  return (element) => {
    const steps: string[] = [];
    let node: Element = element;
    let gap = false;
    for (let climbed = 0; climbed < MAX_CLIMB; climbed += 1) {
      const id = attributeOf(node, 'id');
      if (id !== null && SAFE_ID.test(id)) return join(`#${id}`, steps, gap);
      if (node.tagName === 'html' || node.tagName === 'head' || node.tagName === 'body')
        return join(node.tagName, steps, gap);
      const parent: ParentNode | null = node.parentNode;
      if (
        LANDMARKS.has(node.tagName) &&
        node !== element &&
        parent !== null &&
        isElement(parent) &&
        parent.tagName === 'body'
      ) {
        return join(nthOfType(node, parent) === 1 ? node.tagName : step(node, parent), steps, gap);
      }
      if (steps.length < MAX_STEPS) steps.push(step(node, parent));
      else gap = true;
      if (parent === null || !isElement(parent)) break;
      node = parent;
    }
    return steps.reverse().join(' > ');
  };
}

function join(root: string, steps: string[], gap: boolean): string {
  if (steps.length === 0) return root;
  return `${root}${gap ? ' ' : ' > '}${steps.reverse().join(' > ')}`;
}
