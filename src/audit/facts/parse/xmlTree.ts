/**
 * Parses a page that is sent as XML into the same kind of tree as HTML, up to the first error, as browsers do. One
 * pass, and no entity that the document declares is expanded.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type html, parseFragment } from 'parse5';
import type { HtmlDocument } from './element.ts';

/** `error`: why the rest is not read, with its line; null if all was. */
export type XmlTree = { readonly document: HtmlDocument; readonly error: string | null };

type Element = DefaultTreeAdapterTypes.Element;
type Attribute = { name: string; value: string };
type Open = { readonly element: Element; readonly name: string; readonly declared: readonly string[] };

/** Browsers stop there, too. */
const MAX_DEPTH = 5000;
/** HTML has fewer; other names cost time, too. */
const MAX_ENTITIES = 3000;
/** Characters that an entity of HTML stands for. */
const MOST_OF_ENTITY = 2;
const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y;
const TAG_END = /\s*(\/?)>/y;
const DOCTYPE = /<!DOCTYPE\s+([^\s>[]+)(?:\s+PUBLIC\s+("[^"]*"|'[^']*'))?(?:\s+SYSTEM)?(?:\s*("[^"]*"|'[^']*'))?\s*/y;
/** Of the internal subset: what may contain a bracket, and the bracket that ends it. */
const SUBSET_PART = /"[^"]*"|'[^']*'|<!--|\]\s*>/g;
const REFERENCE = /&(?:#(\d{1,8}|x[0-9a-fA-F]{1,6})|([\w:.-]{1,40}));|&/g;
/** Those whose entities browsers know without fetching them. */
const XHTML_DOCTYPE =
  /^-\/\/(?:W3C\/\/DTD (?:XHTML (?:1\.0 (?:Strict|Transitional|Frameset)|1\.1|Basic 1\.0|1\.1 plus MathML 2\.0)|MathML 2\.0)|WAPFORUM\/\/DTD XHTML Mobile 1\.[012])\/\/EN$/;
const PREDEFINED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

class NotWellFormed extends Error {}

export function parseXml(text: string): XmlTree {
  const end = firstForbidden(text);
  const reader = new XmlTreeReader(text.slice(0, end));
  let error: string | null = null;
  try {
    reader.read();
  } catch (thrown) {
    if (!(thrown instanceof NotWellFormed)) throw thrown;
    const what = end < text.length && reader.isAtEnd() ? 'there is a control character' : thrown.message;
    error = `line ${lineOf(text, reader.at)}: ${what}`;
  }
  return { document: reader.document, error };
}

/** Where the first character stands that no XML may have; the end if there is none. */
function firstForbidden(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code >= 0xfffe) return at;
  }
  return text.length;
}

function lineOf(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

class XmlTreeReader {
  readonly document = defaultTreeAdapter.createDocument();
  at = 0;
  readonly #source: string;
  readonly #open: Open[] = [];
  /** Addresses of each prefix, the innermost last; '' is the default. */
  readonly #namespaces = new Map<string, string[]>([['xml', [XML_NAMESPACE]]]);
  readonly #entities = new Map(PREDEFINED);
  #knowsHtmlEntities = false;
  /** Entities may be declared where they are not read. */
  #mayDeclare = false;
  #hasDoctype = false;
  #hasRoot = false;
  /** Not in the tree before the markup after it has been read: browsers lose the text before an error. */
  #text = '';

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    return this.at >= this.#source.length;
  }

  read(): void {
    const source = this.#source;
    if (source.startsWith('<?xml') && /\s/.test(source[5] ?? '')) this.at = this.#endOf('?>', 5);
    while (this.at < source.length) {
      const open = source.indexOf('<', this.at);
      const end = open < 0 ? source.length : open;
      if (end > this.at) this.#onText(source.slice(this.at, end));
      this.at = end;
      if (open >= 0) this.#onMarkup();
    }
    const last = this.#open.at(-1);
    if (last !== undefined) throw new NotWellFormed(`<${short(last.name)}> is not closed`);
    if (!this.#hasRoot) throw new NotWellFormed('there is no element');
  }

  #onMarkup(): void {
    const { at } = this;
    const is = (start: string): boolean => this.#source.startsWith(start, at);
    if (is('</')) this.#onEndTag();
    else if (is('<!--')) this.#onComment();
    else if (is('<![CDATA[')) {
      if (this.#open.length === 0) throw new NotWellFormed('there is text outside of the root element');
      const end = this.#endOf(']]>', 9);
      this.#text += this.#source.slice(at + 9, end - 3);
      this.at = end;
    } else if (is('<?')) {
      if (/^<\?xml[\s?]/i.test(this.#source.slice(at, at + 6)))
        throw new NotWellFormed('the XML declaration is not at the start');
      this.at = this.#endOf('?>', 2);
    } else if (is('<!DOCTYPE')) this.#onDoctype();
    else this.#onStartTag();
  }

  #endOf(mark: string, behind: number): number {
    const end = this.#source.indexOf(mark, this.at + behind);
    if (end < 0) throw new NotWellFormed(`${mark} is missing`);
    return end + mark.length;
  }

  #onComment(): void {
    const end = this.#source.indexOf('--', this.at + 4);
    if (end < 0 || this.#source[end + 2] !== '>') throw new NotWellFormed('a comment has -- in it or is not closed');
    this.at = end + 3;
  }

  #onDoctype(): void {
    DOCTYPE.lastIndex = this.at;
    const match = DOCTYPE.exec(this.#source);
    if (match === null || this.#hasRoot || this.#hasDoctype)
      throw new NotWellFormed('the doctype is misplaced or not written as in XML');
    const [, name = '', publicId = '', systemId = ''] = match;
    this.#hasDoctype = true;
    const idOf = (quoted: string): string => quoted.slice(1, -1);
    defaultTreeAdapter.setDocumentType(this.document, name, idOf(publicId), idOf(systemId));
    this.#knowsHtmlEntities = XHTML_DOCTYPE.test(idOf(publicId));
    const end = DOCTYPE.lastIndex;
    const hasSubset = this.#source[end] === '[';
    this.#mayDeclare = hasSubset || systemId !== '';
    if (!hasSubset && this.#source[end] !== '>') throw new NotWellFormed('the doctype is not closed');
    this.at = hasSubset ? this.#endOfSubset(end + 1) : end + 1;
  }

  #endOfSubset(from: number): number {
    SUBSET_PART.lastIndex = from;
    for (let part = SUBSET_PART.exec(this.#source); part !== null; part = SUBSET_PART.exec(this.#source))
      if (part[0].startsWith(']')) return SUBSET_PART.lastIndex;
      else if (part[0] === '<!--') {
        const end = this.#source.indexOf('-->', SUBSET_PART.lastIndex);
        if (end < 0) break;
        SUBSET_PART.lastIndex = end + 3;
      }
    throw new NotWellFormed('the doctype is not closed');
  }

  #onText(raw: string): void {
    if (this.#open.length === 0) {
      if (raw.replace(/^\uFEFF/, '').trim() !== '')
        throw new NotWellFormed('there is text outside of the root element');
    } else if (raw.includes(']]>')) {
      this.at += raw.indexOf(']]>');
      throw new NotWellFormed(']]> stands outside of CDATA');
    } else this.#text += this.#resolved(raw);
  }

  #insertText(): void {
    const parent = this.#open.at(-1)?.element;
    if (parent !== undefined && this.#text !== '') defaultTreeAdapter.insertText(parent, this.#text);
    this.#text = '';
  }

  #onStartTag(): void {
    const { at } = this;
    NAME.lastIndex = at + 1;
    const name = NAME.exec(this.#source)?.[0];
    if (name === undefined) throw new NotWellFormed('< does not begin a tag');
    if (this.#open.length === 0 && this.#hasRoot) throw new NotWellFormed('there is a second root element');
    const { attributes, declared, isEmpty, end } = this.#readAttributes(name, at + 1 + name.length);
    this.#insertText();
    const colon = name.indexOf(':') + 1;
    const namespace = this.#namespaces.get(name.slice(0, Math.max(colon - 1, 0)))?.at(-1) ?? '';
    const element = defaultTreeAdapter.createElement(name.slice(colon), namespace as html.NS, attributes);
    defaultTreeAdapter.appendChild(this.#open.at(-1)?.element ?? this.document, element);
    this.#hasRoot = true;
    this.at = end;
    if (isEmpty) this.#forget(declared);
    else if (this.#open.push({ element, name, declared }) > MAX_DEPTH)
      throw new NotWellFormed('its elements are nested too deeply');
  }

  #readAttributes(
    tag: string,
    from: number,
  ): { attributes: Attribute[]; declared: readonly string[]; isEmpty: boolean; end: number } {
    const attributes: Attribute[] = [];
    const declared: string[] = [];
    const seen = new Set<string>();
    let at = from;
    for (;;) {
      const found = this.#attributeAt(at);
      if (found === null) break;
      at = found.end;
      const { name } = found;
      if (seen.has(name)) throw new NotWellFormed(`<${short(tag)}> has the attribute ${short(name)} twice`);
      seen.add(name);
      const value = this.#resolved(found.raw.replace(/[\t\r\n]/g, ' '));
      const prefix = /^xmlns(?::(.+))?$/.exec(name);
      if (prefix === null) attributes.push({ name, value });
      else declared.push(this.#declare(prefix[1] ?? '', value));
    }
    const language = attributes.find(({ name }) => name === 'xml:lang');
    if (language !== undefined && !seen.has('lang')) attributes.push({ name: 'lang', value: language.value });
    TAG_END.lastIndex = at;
    const end = TAG_END.exec(this.#source);
    if (end === null) throw new NotWellFormed(`<${short(tag)}> is not written as in XML`);
    return { attributes, declared, isEmpty: end[1] === '/', end: TAG_END.lastIndex };
  }

  /** Null if none is written there as in XML. */
  #attributeAt(from: number): { readonly name: string; readonly raw: string; readonly end: number } | null {
    const source = this.#source;
    NAME.lastIndex = this.#behindSpaces(from);
    const name = NAME.lastIndex === from ? undefined : NAME.exec(source)?.[0];
    if (name === undefined) return null;
    const equals = this.#behindSpaces(NAME.lastIndex);
    const open = this.#behindSpaces(equals + 1);
    const quote = source[open];
    if (source[equals] !== '=' || (quote !== '"' && quote !== "'")) return null;
    const close = source.indexOf(quote, open + 1);
    const raw = source.slice(open + 1, Math.max(close, 0));
    return close < 0 || raw.includes('<') ? null : { name, raw, end: close + 1 };
  }

  #behindSpaces(from: number): number {
    let at = from;
    while (/\s/.test(this.#source[at] ?? '')) at += 1;
    return at;
  }

  #declare(prefix: string, address: string): string {
    const known = this.#namespaces.get(prefix);
    if (known === undefined) this.#namespaces.set(prefix, [address]);
    else known.push(address);
    return prefix;
  }

  #forget(prefixes: readonly string[]): void {
    for (const prefix of prefixes) this.#namespaces.get(prefix)?.pop();
  }

  #onEndTag(): void {
    NAME.lastIndex = this.at + 2;
    const name = NAME.exec(this.#source)?.[0] ?? '';
    const last = this.#open.at(-1);
    TAG_END.lastIndex = this.at + 2 + name.length;
    const end = TAG_END.exec(this.#source);
    if (last === undefined || last.name !== name || end?.[1] !== '')
      throw new NotWellFormed(`</${short(name)}> closes <${short(last?.name ?? 'nothing')}>`);
    this.#insertText();
    this.#open.pop();
    this.#forget(last.declared);
    this.at = TAG_END.lastIndex;
  }

  #resolved(raw: string): string {
    if (!raw.includes('&')) return raw;
    return raw.replace(REFERENCE, (whole, number: string | undefined, name: string | undefined, offset: number) => {
      const known = number === undefined ? this.#entity(name) : characterOf(number);
      if (known !== undefined || (name !== undefined && this.#mayDeclare)) return known ?? whole;
      this.at += offset;
      const isBare = number === undefined && name === undefined;
      throw new NotWellFormed(
        isBare
          ? 'an & is not written as &amp;'
          : `${whole} is ${number === undefined ? 'not declared' : 'no character'}`,
      );
    });
  }

  #entity(name: string | undefined): string | undefined {
    const known = this.#entities.get(name ?? '');
    if (name === undefined || known !== undefined || !this.#knowsHtmlEntities || this.#entities.size > MAX_ENTITIES)
      return known;
    const [node] = parseFragment(`&${name};`).childNodes;
    const text = node !== undefined && 'value' in node ? node.value : '';
    // Those that HTML does not know stay, or their beginning is taken for a shorter one.
    const value = text.length > MOST_OF_ENTITY ? `&${name};` : text;
    this.#entities.set(name, value);
    return value;
  }
}

/** Undefined for what no XML may have. */
function characterOf(number: string): string | undefined {
  const code = number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number(number);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  const isControl = code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
  return isCharacter && !isControl ? String.fromCodePoint(code) : undefined;
}

function short(name: string): string {
  return name.slice(0, 40);
}

/** As text in Latin-1: whether the root of an XML document is that of a page. Looks at a bounded beginning. */
export function hasHtmlRoot(start: string): boolean {
  let at = 0;
  for (;;) {
    at = start.indexOf('<', at);
    if (at < 0) return false;
    if (start.startsWith('<!--', at)) at = start.indexOf('-->', at);
    else if (start.startsWith('<?', at)) at = start.indexOf('?>', at);
    else if (start.startsWith('<!', at)) at = start.indexOf('>', at);
    else return /^<(?:[\w.-]{1,40}:)?html\s[^>]*http:\/\/www\.w3\.org\/1999\/xhtml/.test(start.slice(at, at + 2000));
    if (at < 0) return false;
  }
}
