/**
 * Finds where a document declares its encoding, before it can be decoded: the prescan of the HTML standard, and where
 * Chromium differs from it, as Chromium does it. One pass over a bounded beginning.
 */

/** `offset`: the end of the declaration, bytes. */
export type CharsetDeclaration = { readonly label: string; readonly offset: number };

/** A declaration in these first bytes counts wherever it is, a later one only in the head. */
const ANYWHERE = 1024;
const SEARCHED = 65_536;
const XML_DECLARATION = 500;

const HEAD_TAGS: ReadonlySet<string> = new Set('script noscript style link meta object title base'.split(' '));
/** Elements whose content is text, not tags. */
const TEXT_TAGS: ReadonlySet<string> = new Set('script style title textarea xmp iframe noembed noframes'.split(' '));

const NAME = /[a-z][^\s/>]*/iy;
const COMMENT_END = /--!?>/g;
const ATTRIBUTE = /[\s/]*(?:>|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*))?)?)/y;
/** A quoted value that does not end swallows the rest of the document. */
const UNCLOSED = /["']/y;

type Attributes = ReadonlyMap<string, string>;
type Tag = { readonly name: string; readonly isEnd: boolean; readonly attributes: Attributes; readonly end: number };

/** The first `<meta>` that declares a known encoding; else the XML declaration, which pages carry over from XHTML. */
export function declaredCharset(bytes: Uint8Array, isKnown: (label: string) => boolean): CharsetDeclaration | null {
  const start = latin1(bytes.subarray(0, SEARCHED));
  let inHead = true;
  for (let at = start.indexOf('<'); at >= 0 && (inHead || at < ANYWHERE); at = start.indexOf('<', at)) {
    const tag = tagAt(start, at);
    if (tag === null) {
      at = behindMarkup(start, at);
      if (at < 0) break;
      continue;
    }
    if (tag.end < 0) break;
    const label = tag.name === 'meta' && !tag.isEnd ? charsetOf(tag.attributes) : null;
    if (label !== null && isKnown(label)) return { label: label.toLowerCase(), offset: tag.end };
    inHead &&= HEAD_TAGS.has(tag.name) || (!tag.isEnd && (tag.name === 'html' || tag.name === 'head'));
    at = TEXT_TAGS.has(tag.name) && !tag.isEnd ? behindText(start, tag) : tag.end;
    if (at < 0) break;
  }
  return xmlEncoding(bytes);
}

/** The encoding in the XML declaration at the start. */
export function xmlEncoding(bytes: Uint8Array): CharsetDeclaration | null {
  const bom = bytes[0] === 0xef ? 3 : 0;
  const start = latin1(bytes.subarray(bom, bom + XML_DECLARATION)).replaceAll('\0', '');
  const end = start.startsWith('<?xml') ? start.indexOf('>') : -1;
  const label = /\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.slice(0, Math.max(end, 0)))?.[1];
  return label === undefined ? null : { label: label.toLowerCase(), offset: bom + end + 1 };
}

/** Each byte becomes the character of its number. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** Null if there is no tag; `end` is -1 if it is not complete. */
function tagAt(text: string, open: number): Tag | null {
  const isEnd = text[open + 1] === '/';
  NAME.lastIndex = open + (isEnd ? 2 : 1);
  const name = NAME.exec(text)?.[0].toLowerCase();
  if (name === undefined) return null;
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = NAME.lastIndex;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    const [, key, double, single, bare] = match;
    if (key === undefined) return { name, isEnd, attributes, end: match.index + match[0].length };
    UNCLOSED.lastIndex = match.index + match[0].length;
    if (UNCLOSED.test(text)) break;
    const lower = key.toLowerCase();
    if (attributes.size < 50 && !attributes.has(lower)) attributes.set(lower, double ?? single ?? bare ?? '');
  }
  return { name, isEnd, attributes, end: -1 };
}

/** The end of a comment, or of other markup that is no tag; -1 if there is none. */
function behindMarkup(text: string, open: number): number {
  if (text.startsWith('<!--', open)) {
    // The dashes that open it may also close it.
    COMMENT_END.lastIndex = open + 2;
    return COMMENT_END.exec(text) === null ? -1 : COMMENT_END.lastIndex;
  }
  if (!/[!?/]/.test(text[open + 1] ?? '')) return open + 1;
  const end = text.indexOf('>', open);
  return end < 0 ? -1 : end + 1;
}

/** The end tag of an element that holds text; -1 if there is none. */
function behindText(text: string, { name, end }: Tag): number {
  for (let at = text.indexOf('</', end); at >= 0; at = text.indexOf('</', at + 2)) {
    const behind = at + 2 + name.length;
    if (text.slice(at + 2, behind).toLowerCase() === name && /[\s/>]/.test(text[behind] ?? '')) return at;
  }
  return -1;
}

function charsetOf(attributes: Attributes): string | null {
  const own = attributes.get('charset')?.trim();
  if (own !== undefined) return own;
  return attributes.get('http-equiv')?.toLowerCase() === 'content-type'
    ? charsetOfContent(attributes.get('content') ?? '')
    : null;
}

/** As the standard reads `content`: what follows the first "charset" that has a value. */
function charsetOfContent(content: string): string | null {
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content.slice(0, 500));
  return match === null ? null : (match[1] ?? match[2] ?? match[3] ?? '').trim();
}
