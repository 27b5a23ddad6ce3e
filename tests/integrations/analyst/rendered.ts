import { parseFragment } from 'parse5';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

type Node = {
  readonly nodeName: string;
  readonly childNodes?: readonly Node[];
  readonly attrs?: readonly { name: string; value: string }[];
  readonly value?: string;
};

function html(markdown: string, skipHtml = false): string {
  return renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm], skipHtml }, markdown));
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of node.childNodes ?? []) walk(child, visit);
}

const known = new Map<string, ReturnType<typeof render>>();

/**
 * A Markdown text as a browser would show it: its headings, links, images, text, and whether it contained raw HTML.
 * Each text is rendered once.
 */
export function rendered(markdown: string): ReturnType<typeof render> {
  const result = known.get(markdown) ?? render(markdown);
  known.set(markdown, result);
  return result;
}

function render(markdown: string) {
  const headings: string[] = [];
  const links: string[] = [];
  const elements = new Set<string>();
  let images = 0;
  const text = (node: Node): string => node.value ?? (node.childNodes ?? []).map(text).join('');
  const shown = html(markdown);
  const root = parseFragment(shown) as unknown as Node;
  walk(root, (node) => {
    elements.add(node.nodeName);
    if (/^h[1-6]$/.test(node.nodeName)) headings.push(text(node));
    if (node.nodeName === 'a') links.push(node.attrs?.find((attribute) => attribute.name === 'href')?.value ?? '');
    if (node.nodeName === 'img') images += 1;
  });
  return { headings, links, images, elements, text: text(root), rawHtml: shown !== html(markdown, true) };
}
