/**
 * The main content of a page as Markdown, as an assistant reads it: headings, lists, tables, quotes, code, links, and
 * the alt texts of images. Text is not escaped.
 */
import type { PageFacts } from '../pageFacts.ts';
import { type Leave, type PageScope, resolveUrl } from '../pageScope.ts';
import { attributeOf, type Element } from '../parse/element.ts';
import { packText } from './packedText.ts';

/** Of the Markdown of one page, in UTF-8 bytes; what follows is left out. */
export const MARKDOWN_BYTES = 20 * 1024;
const LONGEST_TARGET = 300;
const LONGEST_ALT = 200;
/** Deeper lists and quotes are written like these. */
const DEEPEST = 6;

/** A paragraph, heading, list item, table row, or listing. `lead`: the mark that it begins with. */
type Block = {
  readonly kind: 'text' | 'item' | 'row' | 'listing';
  /** Of quotes and lists around it. */
  readonly margin: string;
  readonly lead: string;
  text: string;
};

type Writing = { readonly blocks: Block[]; current: Block | null; characters: number };

export type MarkdownCollector = {
  /** Inside <main>, and outside it. */
  readonly main: Writing;
  readonly rest: Writing;
  /** Open lists: the number of the next item, 0 in a list without numbers. */
  readonly lists: number[];
  quotes: number;
  /** Open elements whose content stays on one line: links, headings, table cells. */
  lines: number;
  /** Open links. */
  links: number;
};

export function createMarkdownCollector(): MarkdownCollector {
  const begun = (): Writing => ({ blocks: [], current: null, characters: 0 });
  return { main: begun(), rest: begun(), lists: [], quotes: 0, lines: 0, links: 0 };
}

/** Where the present position is written; null if it is no content, or there is enough of it. */
function writingAt(all: MarkdownCollector, scope: PageScope): Writing | null {
  if (scope.boilerplate || scope.hiddenDepth > 0 || scope.svgDepth > 0 || scope.inHead) return null;
  const to = scope.mainDepth > 0 ? all.main : all.rest;
  return to.characters > MARKDOWN_BYTES ? null : to;
}

export function collectMarkdownText(all: MarkdownCollector, text: string, scope: PageScope): void {
  const to = writingAt(all, scope);
  if (to === null) return;
  const start = text.slice(0, MARKDOWN_BYTES);
  if (to.current?.kind === 'listing') append(to, to.current, start);
  else if (/\S/.test(start)) append(to, to.current ?? startBlock(all, to, 'text'), start.replace(/\s+/g, ' '));
  else if (to.current !== null) addSpace(to.current);
}

function append(to: Writing, block: Block, text: string): void {
  const joined = block.kind !== 'listing' && (block.text === '' || block.text.endsWith(' ')) ? text.trimStart() : text;
  block.text += joined;
  to.characters += joined.length;
}

function addSpace(block: Block): void {
  if (block.text !== '' && !block.text.endsWith(' ')) block.text += ' ';
}

function startBlock(all: MarkdownCollector, to: Writing, kind: Block['kind'], lead = ''): Block {
  const lists = Math.min(all.lists.length, DEEPEST);
  const margin =
    '> '.repeat(Math.min(all.quotes, DEEPEST)) + '  '.repeat(kind === 'item' ? Math.max(0, lists - 1) : lists);
  const block = { kind, margin, lead, text: '' };
  // Counted although it may stay empty, so that there are never many.
  to.characters += 1 + lead.length;
  to.blocks.push(block);
  to.current = block;
  return block;
}

/** What follows begins a new block, unless it has to stay on the line. */
function breakBlock(all: MarkdownCollector, to: Writing): void {
  const { current } = to;
  if (current === null) return;
  if (all.lines > 0) addSpace(current);
  // A paragraph that an item begins with is the item's own.
  else if (current.kind === 'text' || current.text !== '') to.current = null;
}

/** Call it when an element of the body opens, once its own hiding and landmarks are part of the scope. */
export function enterMarkdown(
  all: MarkdownCollector,
  element: Element,
  isBlock: boolean,
  scope: PageScope,
): Leave | undefined {
  const enter = ENTER.get(element.tagName);
  if (enter === undefined && !isBlock) return undefined;
  const to = writingAt(all, scope);
  if (to === null || to.current?.kind === 'listing') return undefined;
  if (enter !== undefined) return enter(all, to, element, scope);
  breakBlock(all, to);
  return () => breakBlock(all, to);
}

type Enter = (all: MarkdownCollector, to: Writing, element: Element, scope: PageScope) => Leave | undefined;

/** Puts marks around what the element adds to its block; none if that is nothing, or goes on in another block. */
function around(all: MarkdownCollector, to: Writing, before: string, after: string): Leave {
  const block = to.current ?? startBlock(all, to, 'text');
  const from = block.text.length;
  return () => {
    const inner = block.text.slice(from);
    const text = inner.trim();
    if (to.current !== block || text === '') return;
    const [lead, rest] = [inner.startsWith(' ') ? ' ' : '', inner.endsWith(' ') ? ' ' : ''];
    block.text = `${block.text.slice(0, from)}${lead}${before}${text}${after}${rest}`;
    to.characters += before.length + after.length;
  };
}

const marked =
  (mark: string): Enter =>
  (all, to) =>
    around(all, to, mark, mark);

const heading =
  (level: number): Enter =>
  (all, to) => {
    breakBlock(all, to);
    if (all.lines > 0) return () => breakBlock(all, to);
    startBlock(all, to, 'text', `${'#'.repeat(level)} `);
    return onOneLine(all, to);
  };

function onOneLine(all: MarkdownCollector, to: Writing): Leave {
  all.lines += 1;
  return () => {
    all.lines -= 1;
    breakBlock(all, to);
  };
}

const list =
  (first: 0 | 1): Enter =>
  (all, to) => {
    breakBlock(all, to);
    all.lists.push(first);
    return () => {
      all.lists.pop();
      breakBlock(all, to);
    };
  };

function enterItem(all: MarkdownCollector, to: Writing): Leave {
  breakBlock(all, to);
  const number = all.lists.at(-1) ?? 0;
  if (all.lines === 0) startBlock(all, to, 'item', number === 0 ? '- ' : `${number}. `);
  if (number > 0) all.lists[all.lists.length - 1] = number + 1;
  return () => breakBlock(all, to);
}

function enterQuote(all: MarkdownCollector, to: Writing): Leave {
  breakBlock(all, to);
  all.quotes += 1;
  return () => {
    all.quotes -= 1;
    breakBlock(all, to);
  };
}

function enterListing(all: MarkdownCollector, to: Writing): Leave | undefined {
  breakBlock(all, to);
  if (all.lines > 0) return () => breakBlock(all, to);
  startBlock(all, to, 'listing');
  return () => {
    to.current = null;
  };
}

function enterRow(all: MarkdownCollector, to: Writing, element: Element): Leave | undefined {
  breakBlock(all, to);
  if (all.lines > 0) return () => breakBlock(all, to);
  const row = startBlock(all, to, 'row');
  return () => {
    to.current = null;
    const cells = element.childNodes.filter(({ nodeName }) => nodeName === 'td' || nodeName === 'th').length;
    const isFirst = to.blocks.at(-2)?.kind !== 'row';
    if (isWorthIt(row) && isFirst) startBlock(all, to, 'row').text = '| --- '.repeat(Math.min(cells, 50));
    to.current = null;
  };
}

function enterCell(all: MarkdownCollector, to: Writing): Leave | undefined {
  const { current } = to;
  if (current?.kind !== 'row' || all.lines > 0) return enterText(all, to);
  current.text = current.text === '' ? '| ' : `${current.text.trimEnd()} | `;
  to.characters += 3;
  all.lines += 1;
  return () => {
    all.lines -= 1;
  };
}

function enterText(all: MarkdownCollector, to: Writing): Leave {
  breakBlock(all, to);
  return () => breakBlock(all, to);
}

function enterLink(all: MarkdownCollector, to: Writing, element: Element, scope: PageScope): Leave | undefined {
  const href = attributeOf(element, 'href');
  const target = href === null || all.links > 0 ? null : resolveUrl(href, scope);
  if (target === null || target.length > LONGEST_TARGET) return undefined;
  const leave = around(all, to, '[', `](${target})`);
  all.links += 1;
  all.lines += 1;
  return () => {
    all.links -= 1;
    all.lines -= 1;
    leave();
  };
}

function addImage(all: MarkdownCollector, to: Writing, element: Element, scope: PageScope): undefined {
  const alt = (attributeOf(element, 'alt') ?? '').slice(0, LONGEST_ALT).replace(/\s+/g, ' ').trim();
  if (alt === '') return;
  const url = resolveUrl((attributeOf(element, 'src') ?? '').slice(0, LONGEST_TARGET + 1), scope) ?? '';
  const source = url.length > LONGEST_TARGET ? '' : url;
  append(to, to.current ?? startBlock(all, to, 'text'), `![${alt}](${source})`);
}

const ENTER: ReadonlyMap<string, Enter> = new Map<string, Enter>([
  ...([1, 2, 3, 4, 5, 6] as const).map((level) => [`h${level}`, heading(level)] as const),
  ['strong', marked('**')],
  ['b', marked('**')],
  ['em', marked('*')],
  ['i', marked('*')],
  ['code', marked('`')],
  ['ul', list(0)],
  ['ol', list(1)],
  ['li', enterItem],
  ['blockquote', enterQuote],
  ['pre', enterListing],
  ['tr', enterRow],
  ['td', enterCell],
  ['th', enterCell],
  ['a', enterLink],
  ['img', addImage],
]);

/** Of the main landmark, or where it says nothing, of all that is no boilerplate. Absent if there is no text. */
export function markdownFact(all: MarkdownCollector): Pick<PageFacts, 'markdown'> {
  const text = markdownOf(all);
  return text === '' ? {} : { markdown: packText(text) };
}

function markdownOf({ main, rest }: MarkdownCollector): string {
  const blocks = [main, rest].map(({ blocks }) => blocks.filter(isWorthIt)).find((some) => some.length > 0) ?? [];
  let text = '';
  let before: Block | null = null;
  for (const block of blocks) {
    const isTight = before !== null && before.kind === block.kind && (block.kind === 'item' || block.kind === 'row');
    text += `${before === null ? '' : isTight ? '\n' : '\n\n'}${written(block)}`;
    before = block;
  }
  return cutTo(text, MARKDOWN_BYTES);
}

const isWorthIt = ({ text }: Block): boolean => /[^|\s]/.test(text);

function written({ kind, margin, lead, text }: Block): string {
  if (kind === 'listing') {
    const code = text.trimEnd().replace(/^\n/, '');
    return `${margin}\`\`\`\n${code}\n\`\`\``.replaceAll('\n', `\n${margin}`);
  }
  return margin + lead + text.trim() + (kind === 'row' ? ' |' : '');
}

/** At most so many UTF-8 bytes, never a part of a character. */
function cutTo(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return read < text.length ? `${text.slice(0, read).trimEnd()} …` : text;
}
