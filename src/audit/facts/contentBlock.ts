/** Which element holds the content of a page that does not mark it. */
import { attributeOf, type Element, type HtmlDocument } from './parse/element.ts';
import { walk } from './parse/walk.ts';

/** They have no meaning of their own that a role would take from them. */
const BLOCKS: ReadonlySet<string> = new Set(['div', 'section']);
const OUTSIDE: ReadonlySet<string> = new Set(
  'aside datalist footer head header iframe nav noembed noframes noscript script select style svg template textarea'.split(
    ' ',
  ),
);
/** Of the characters outside menus, headers and footers, those in the block. */
const LEAST_SHARE = 0.95;

type Read = { readonly characters: number; readonly headings: number };

/** The innermost block with nearly all of the text and a main heading, if there is one. In time linear to the page. */
export function contentBlockOf(document: HtmlDocument, menus: ReadonlySet<Element>): Element | null {
  const within = new Map<Element, Read>();
  let characters = 0;
  let headings = 0;
  walk(document, {
    enter: (element) => {
      const tag = element.tagName;
      if (OUTSIDE.has(tag) || menus.has(element) || isHidden(element)) return 'skip';
      if (tag === 'h1') headings += 1;
      if (!BLOCKS.has(tag) || attributeOf(element, 'role') !== null) return undefined;
      const before: Read = { characters, headings };
      // In document order: a block stands before what it holds.
      within.set(element, before);
      return () => {
        within.set(element, { characters: characters - before.characters, headings: headings - before.headings });
      };
    },
    text: ({ value }) => {
      characters += value.trim().length;
    },
  });
  let found: Element | null = null;
  for (const [element, read] of within)
    if (read.characters > 0 && read.characters >= LEAST_SHARE * characters && (headings === 0 || read.headings > 0))
      found = element;
  return found;
}

function isHidden(element: Element): boolean {
  return (
    attributeOf(element, 'hidden') !== null || /display\s{0,3}:\s{0,3}none/i.test(attributeOf(element, 'style') ?? '')
  );
}
