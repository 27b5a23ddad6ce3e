/**
 * Reads a sitemap piece by piece: 50 MB never stand in memory as a tree. A scanner for the few elements that count; entities that a
 * document declares are not known to it, so none can be expanded.
 */
import type { SitemapUrl } from './site.ts';

export type SitemapScan = {
  readonly kind: 'urlset' | 'index' | 'text' | 'invalid';
  readonly error: string | null;
  readonly urls: readonly SitemapUrl[];
  readonly urlCount: number;
};

export type SitemapScanner = { readonly push: (text: string) => void; readonly end: () => SitemapScan };

/** No tag or comment of a sitemap is this long. */
const MAX_TOKEN = 256 * 1024;
const MAX_TEXT = 8192;
const MAX_DEPTH = 32;
const NAMESPACE = /\bxmlns(?::\w+)?\s*=\s*["']https?:\/\/(?:www\.)?(?:sitemaps\.org\/schemas\/sitemap\/0\.9|google\.com\/schemas\/sitemap\/0\.\d+)\/?["']/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Markup whose inside is not looked at. */
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
];
const CDATA = '<![CDATA[';

export class XmlSitemapScanner implements SitemapScanner {
  readonly #maxUrls: number;
  readonly #open: string[] = [];
  readonly #urls: SitemapUrl[] = [];
  #rest = '';
  #root: { readonly kind: 'urlset' | 'index'; readonly prefix: string } | null = null;
  /** Ends the reading. */
  #fatal: string | null = null;
  /** Against the rules, yet readable. */
  #fault: string | null = null;
  #count = 0;
  #loc: string | null = null;
  #lastmod: string | null = null;
  #collecting: 'loc' | 'lastmod' | null = null;
  #text = '';

  constructor(maxUrls: number) {
    this.#maxUrls = maxUrls;
  }

  push(text: string): void {
    if (this.#fatal) return;
    const input = this.#rest + text;
    let at = 0;
    while (at < input.length && !this.#fatal) {
      const open = input.indexOf('<', at);
      this.#onText(input.slice(at, open < 0 ? input.length : open));
      at = open < 0 ? input.length : open;
      if (open < 0) break;
      const end = this.#readMarkup(input, open);
      if (end < 0) break;
      at = end;
    }
    this.#rest = input.slice(at);
    if (this.#rest.length > MAX_TOKEN) this.#fatal = 'It has a tag without end.';
  }

  end(): SitemapScan {
    const error = this.#fatal ?? this.#unfinished() ?? this.#fault;
    return { kind: error ? 'invalid' : (this.#root?.kind ?? 'invalid'), error, urls: this.#urls, urlCount: this.#count };
  }

  #unfinished(): string | null {
    if (!this.#root) return this.#rest.trim() === '' ? 'It is empty.' : 'It is not XML.';
    if (this.#open.length > 0) return `It ends inside <${this.#open.at(-1)}>.`;
    return this.#count === 0 ? 'It has no <loc> entry.' : null;
  }

  /** Reads the markup at `open`; where it ends, or -1 when that has not arrived yet. */
  #readMarkup(input: string, open: number): number {
    for (const [begin, end] of SKIPPED) if (input.startsWith(begin, open)) return endOf(input, end, open);
    if (input.startsWith(CDATA, open)) {
      const end = endOf(input, ']]>', open);
      if (end > 0) this.#onText(input.slice(open + CDATA.length, end - 3), true);
      return end;
    }
    if (input.length - open < CDATA.length && input.startsWith('<!', open)) return -1;
    const close = closingBracket(input, open);
    if (close < 0) return -1;
    if (input.startsWith('<!', open)) {
      if (input.slice(open, close).includes('[')) this.#fatal = 'It declares entities of its own.';
    } else this.#onTag(input.slice(open + 1, close));
    return close + 1;
  }

  #onText(text: string, verbatim = false): void {
    if (this.#collecting) {
      if (this.#text.length > MAX_TEXT) return;
      this.#text += verbatim ? text.replaceAll('&', '&amp;') : text;
    } else if (!this.#root && text.replace(/^\uFEFF/, '').trim() !== '') this.#fatal = 'It is not XML.';
  }

  #onTag(tag: string): void {
    if (tag.startsWith('/')) {
      this.#onClose(tag.slice(1).trim());
      return;
    }
    const name = /^[^\s/]*/.exec(tag)?.[0] ?? '';
    if (name === '') this.#fatal = 'It is not well-formed: a tag has no name.';
    if (!this.#root) this.#onRoot(name, tag);
    this.#open.push(name);
    if (this.#open.length > MAX_DEPTH) this.#fatal = 'Its elements are nested too deeply.';
    this.#onOpen(name);
    if (tag.endsWith('/')) this.#onClose(name);
  }

  #onRoot(name: string, tag: string): void {
    const [local = '', prefix = ''] = name.split(':').reverse();
    if (local === 'urlset' || local === 'sitemapindex') {
      this.#root = { kind: local === 'urlset' ? 'urlset' : 'index', prefix: prefix === '' ? '' : `${prefix}:` };
      if (!NAMESPACE.test(tag)) this.#fault = 'Its root element lacks the sitemap namespace.';
    } else
      this.#fatal =
        local.toLowerCase() === 'html' ? 'It is a web page, not a sitemap.' : `Its root element is <${name.slice(0, 40)}>, not <urlset> or <sitemapindex>.`;
  }

  #onOpen(name: string): void {
    if (this.#open.length === 2) {
      this.#loc = null;
      this.#lastmod = null;
    }
    const local = name.slice(this.#root?.prefix.length ?? 0);
    if (this.#open.length === 3 && name.startsWith(this.#root?.prefix ?? '') && (local === 'loc' || local === 'lastmod')) {
      this.#collecting = local;
      this.#text = '';
    }
  }

  #onClose(name: string): void {
    const open = this.#open.pop();
    if (open !== name) {
      this.#fatal = `It is not well-formed: <${(open ?? '').slice(0, 40)}> is closed by </${name.slice(0, 40)}>.`;
      return;
    }
    if (this.#open.length === 2 && this.#collecting) {
      if (this.#collecting === 'loc') this.#loc = this.#unescaped();
      else this.#lastmod = this.#unescaped();
      this.#collecting = null;
    } else if (this.#open.length === 1 && this.#loc) this.#keep(this.#loc);
  }

  #keep(loc: string): void {
    this.#count++;
    if (this.#urls.length < this.#maxUrls) this.#urls.push({ loc, lastmod: this.#lastmod });
  }

  #unescaped(): string {
    const text = this.#text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);|&/gi, (whole, name: string | undefined) => {
      const known = name === undefined ? undefined : name.startsWith('#') ? characterOf(name) : ENTITIES[name];
      if (known === undefined) this.#fault ??= 'It is not well-formed: an & is not written as &amp;.';
      return known ?? whole;
    });
    return text.trim();
  }
}

function endOf(input: string, end: string, from: number): number {
  const at = input.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** The > that ends a tag: not one inside quotes. */
function closingBracket(input: string, open: number): number {
  let quote = '';
  for (let at = open; at < input.length; at++) {
    const character = input[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

function characterOf(reference: string): string | undefined {
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number.parseInt(reference.slice(1), 10);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}

/** One address a line. */
export class TextSitemapScanner implements SitemapScanner {
  readonly #maxUrls: number;
  readonly #urls: SitemapUrl[] = [];
  #rest = '';
  #line = 0;
  #count = 0;
  #error: string | null = null;

  constructor(maxUrls: number) {
    this.#maxUrls = maxUrls;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    if (this.#rest.length > MAX_TEXT) this.#error ??= `Line ${this.#line + 1} is endless.`;
    this.#rest = this.#rest.slice(0, MAX_TEXT + 1);
  }

  end(): SitemapScan {
    this.#read(this.#rest);
    const error = this.#error ?? (this.#count === 0 ? 'It is empty.' : null);
    return { kind: error ? 'invalid' : 'text', error, urls: this.#urls, urlCount: this.#count };
  }

  #read(whole: string): void {
    this.#line++;
    const line = whole.replace(/^\uFEFF/, '').trim();
    if (line === '') return;
    if (!/^https?:\/\//i.test(line) || !URL.canParse(line)) {
      this.#error ??= `Line ${this.#line} is not an address.`;
      return;
    }
    this.#count++;
    if (this.#urls.length < this.#maxUrls) this.#urls.push({ loc: line, lastmod: null });
  }
}
