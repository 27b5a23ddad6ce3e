/** Menus that no landmark marks, on pages that do not mark their main content either. */
import { attributeOf, type Element, type HtmlDocument, tokensOf } from './parse/element.ts';
import { walk } from './parse/walk.ts';

const BLOCKS: ReadonlySet<string> = new Set('center div dl form ol p section table td ul'.split(' '));
/** What is no text of the page, and landmarks that need no second mark. */
const SKIPPED: ReadonlySet<string> = new Set(
  'aside datalist footer head iframe nav noembed noframes noscript script select style svg template textarea'.split(
    ' ',
  ),
);
/** Fewer are a breadcrumb. */
const LEAST_LINKS = 5;
/** Of a block's characters, those in links. */
const LEAST_SHARE = 0.75;
/** Of a link on average; slides and cards say more. */
const MOST_CHARACTERS = 50;
/** How a class or id ends, wherever the block stands, and apart from the heading; beside it, it may be the content. */
const BESIDE = ['footer', 'sidebar'];
const APART = [...BESIDE, 'menu', 'nav', 'navbar', 'navigation'];
/** Names of what has a sidebar or a menu beside it. */
const HAVING = /^(?:has|hide|is|no|show|with|without)[-_]/;

/**
 * Blocks of links that end before the page's first <h1>, that are called sidebars or footers, or that are called menus
 * and stand outside the block of that heading. Another list below the heading is the content of a page that leads to
 * others. In time linear to the page.
 */
export function menusOf(document: HtmlDocument): ReadonlySet<Element> {
  const menus = new Set<Element>();
  const early: Element[] = [];
  const read = { characters: 0, linked: 0, links: 0 };
  let openLinks = 0;
  let heading: { readonly depth: number; left: boolean } | null = null;
  let hasMain = false;

  function enter(element: Element, depth: number): (() => void) | 'skip' | undefined {
    const tag = element.tagName;
    if (tag === 'main' || attributeOf(element, 'role')?.trim().toLowerCase() === 'main') hasMain = true;
    if (hasMain || SKIPPED.has(tag)) return 'skip';
    if (heading !== null && depth < heading.depth) heading.left = true;
    if (tag === 'h1') heading ??= { depth, left: false };
    if (tag === 'a') return enterLink(element);
    return BLOCKS.has(tag) ? enterBlock(element) : undefined;
  }

  function enterLink(element: Element): (() => void) | undefined {
    if (attributeOf(element, 'href') === null) return undefined;
    read.links += 1;
    openLinks += 1;
    return () => {
      openLinks -= 1;
    };
  }

  function enterBlock(element: Element): () => void {
    const { characters, linked, links } = read;
    const isEarly = heading === null;
    const isApart = isEarly || heading?.left === true;
    return () => {
      const [all, inLinks, count] = [read.characters - characters, read.linked - linked, read.links - links];
      if (count < LEAST_LINKS || inLinks === 0 || inLinks > MOST_CHARACTERS * count) return;
      if (inLinks < LEAST_SHARE * all || (isEarly && heading !== null)) return;
      if (isCalled(element, isApart ? APART : BESIDE)) menus.add(element);
      else if (isEarly) early.push(element);
    };
  }

  walk(document, {
    enter,
    text: ({ value }) => {
      const { length } = value.trim();
      read.characters += length;
      if (openLinks > 0) read.linked += length;
    },
  });
  if (hasMain) return new Set();
  if (heading !== null) for (const element of early) menus.add(element);
  return menus;
}

function isCalled(element: Element, names: readonly string[]): boolean {
  return [...tokensOf(attributeOf(element, 'class')), ...tokensOf(attributeOf(element, 'id'))].some(
    (token) => !HAVING.test(token) && names.some((name) => token.endsWith(name)),
  );
}
