/** Reading parse5's default tree. */
import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type ParentNode = DefaultTreeAdapterTypes.ParentNode;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;
export type TextNode = DefaultTreeAdapterTypes.TextNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/** Null when the attribute is absent. */
export function attributeOf(element: Element, name: string): string | null {
  for (const attribute of element.attrs) if (attribute.name === name) return attribute.value;
  return null;
}

export function isElement(node: ChildNode | ParentNode): node is Element {
  return 'tagName' in node;
}

/** White space folded to single blanks and trimmed; at most `limit` characters. */
export function fold(text: string, limit = Number.POSITIVE_INFINITY): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > limit ? folded.slice(0, limit) : folded;
}

/** A list of lower-case tokens, as in rel and class. */
export function tokensOf(value: string | null): string[] {
  return value === null ? [] : value.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Text of the element's own text children: for elements that hold raw text (script, title, style, noscript). */
export function rawTextOf(element: Element): string {
  const [only] = element.childNodes;
  if (element.childNodes.length === 1 && only !== undefined && 'value' in only) return only.value;
  let text = '';
  for (const child of element.childNodes) if ('value' in child) text += child.value;
  return text;
}

/** All text under the element in document order, at most about `limit` characters and 2,000 nodes. */
export function innerText(element: Element, limit: number): string {
  const stack: ChildNode[] = [...element.childNodes.slice(0, 2000)].reverse();
  let text = '';
  let visited = 0;
  while (stack.length > 0 && text.length < limit && visited < 2000) {
    const node = stack.pop() as ChildNode;
    visited += 1;
    if ('value' in node) text += node.value;
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style') {
      for (let i = Math.min(node.childNodes.length, 2000) - 1; i >= 0; i -= 1) stack.push(node.childNodes[i] as ChildNode);
    }
  }
  return fold(text, limit);
}
