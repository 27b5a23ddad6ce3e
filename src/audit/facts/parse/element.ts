/** Reads parse5's default tree. */
import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type ParentNode = DefaultTreeAdapterTypes.ParentNode;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;
export type TextNode = DefaultTreeAdapterTypes.TextNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const MATHML_NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

/** Null when the attribute is absent. */
export function attributeOf(element: Element, name: string): string | null {
  for (const attribute of element.attrs) if (attribute.name === name) return attribute.value;
  return null;
}

export function isElement(node: ChildNode | ParentNode): node is Element {
  return 'tagName' in node;
}

function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0xa0 ||
    (code >= 0x1680 && (code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029)) ||
    isWideSpace(code)
  );
}

function isWideSpace(code: number): boolean {
  return code === 0x202f || code === 0x205f || code === 0x3000 || code === 0xfeff;
}

/**
 * Folds white space to single spaces and trims; at most `limit` characters. One pass that copies only if something
 * changes.
 */
export function fold(text: string, limit = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (!isSpace(code)) {
      if (start < 0) start = i;
    } else if (start >= 0 && (code !== 0x20 || i + 1 === text.length || isSpace(text.charCodeAt(i + 1)))) {
      parts.push(text.slice(start, i));
      start = -1;
    }
  }
  if (start >= 0) parts.push(start === 0 ? text : text.slice(start));
  const folded = parts.length === 1 ? (parts[0] as string) : parts.join(' ');
  return folded.length > limit ? folded.slice(0, limit) : folded;
}

/** Ample for a list of classes, and a bound for lists of many tokens. */
const TOKENS_LIMIT = 2_000;

/** A list of lower-case tokens, as in rel and class. */
export function tokensOf(value: string | null): string[] {
  return value === null ? [] : value.slice(0, TOKENS_LIMIT).toLowerCase().split(/\s+/).filter(Boolean);
}

/** Text of the element's own text nodes: for raw-text elements (script, title, style, noscript). */
export function rawTextOf(element: Element): string {
  const [only] = element.childNodes;
  if (element.childNodes.length === 1 && only !== undefined && 'value' in only) return only.value;
  let text = '';
  for (const child of element.childNodes) if ('value' in child) text += child.value;
  return text;
}

/** All text under the element in document order, limited to about `limit` characters and 2,000 nodes. */
export function innerText(element: Element, limit: number): string {
  const open: { readonly nodes: readonly ChildNode[]; at: number }[] = [{ nodes: element.childNodes, at: 0 }];
  let text = '';
  let visited = 0;
  for (let last = open.at(-1); last !== undefined && text.length < limit && visited < 2000; last = open.at(-1)) {
    const node = last.nodes[last.at];
    last.at += 1;
    if (node === undefined) {
      open.pop();
      continue;
    }
    visited += 1;
    // White space may precede the text.
    if ('value' in node) text += node.value.slice(0, 20 * limit);
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style')
      open.push({ nodes: node.childNodes, at: 0 });
  }
  return fold(text, limit);
}
