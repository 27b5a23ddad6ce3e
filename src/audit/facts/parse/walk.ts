/** One iterative pass over the tree: depth costs heap memory, never call stack. */
import { type ChildNode, type Element, isElement, type ParentNode, type TextNode } from './element.ts';

/** A function to run when the element closes; 'skip' to skip its children; undefined for neither. */
export type Entered = (() => void) | 'skip' | undefined;

export type Visitor = {
  readonly enter: (element: Element, depth: number) => Entered;
  readonly text: (node: TextNode) => void;
};

export function walk(root: ParentNode, visitor: Visitor): void {
  const lists: (readonly ChildNode[])[] = [root.childNodes];
  const at: number[] = [0];
  const leaves: ((() => void) | undefined)[] = [undefined];
  let depth = 0;
  while (depth >= 0) {
    const list = lists[depth] as readonly ChildNode[];
    const index = at[depth] as number;
    if (index >= list.length) {
      leaves[depth]?.();
      leaves[depth] = undefined;
      depth -= 1;
      continue;
    }
    at[depth] = index + 1;
    const node = list[index] as ChildNode;
    if (node.nodeName === '#text') visitor.text(node as TextNode);
    else if (isElement(node)) {
      const entered = visitor.enter(node, depth);
      if (entered === 'skip') continue;
      if (node.childNodes.length === 0) {
        entered?.();
        continue;
      }
      depth += 1;
      lists[depth] = node.childNodes;
      at[depth] = 0;
      leaves[depth] = entered;
    }
  }
}
