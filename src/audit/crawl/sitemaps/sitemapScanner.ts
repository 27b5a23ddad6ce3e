/**
 * Streaming sitemap parser: a 50 MB file is never in memory as a tree. Reads sitemaps, sitemap indexes, and RSS and
 * Atom feeds, which count as sitemaps.
 */
import { parseFragment } from 'parse5';
import { parseUrl } from '../../../model/parseUrl.ts';
import { weightOf } from '../../memory.ts';
import type { SitemapUrl } from '../site.ts';
import { attributesOf, withoutReferences, XmlReader } from './xmlReader.ts';

export type SitemapScan = {
  readonly kind: 'urlset' | 'index' | 'feed' | 'text' | 'invalid';
  readonly error: string | null;
  readonly urls: readonly SitemapUrl[];
  readonly urlCount: number;
};

export type SitemapScanner = { readonly push: (text: string) => void; readonly end: () => SitemapScan };

const MAX_TEXT = 8192;
/** HTML has fewer; a file may have any number of other references. */
const MAX_ENTITIES = 3000;
/** Language versions and images kept per entry and per file. */
const MAX_EXTRAS = 100;
const MAX_EXTRAS_OF_FILE = 20_000;
/** Kept of a group while it is read. */
const MAX_PARTS = 50;
const NAMESPACE =
  /^https?:\/\/(?:www\.)?(?:sitemaps\.org\/schemas\/sitemap\/0\.9|google\.com\/schemas\/sitemap\/0\.\d{1,3})\/?$/;

/** Where the entries of a document are, and which of their elements matter. */
type Layout = {
  readonly kind: 'urlset' | 'index' | 'feed';
  /** Number of open elements inside an entry, itself included. */
  readonly depth: number;
  /** Element name of the entries; null for any. */
  readonly entry: string | null;
  readonly loc: string;
  readonly dates: readonly string[];
  /** What an entry without an address lacks. */
  readonly lacking: string;
};

const PLAIN = { depth: 2, entry: null, loc: 'loc', dates: ['lastmod'], lacking: '<loc>' };
const LAYOUTS: Readonly<Record<string, Layout>> = {
  urlset: { kind: 'urlset', ...PLAIN },
  sitemapindex: { kind: 'index', ...PLAIN },
  rss: { kind: 'feed', depth: 3, entry: 'item', loc: 'link', dates: ['pubDate'], lacking: '<link>' },
  feed: {
    kind: 'feed',
    depth: 2,
    entry: 'entry',
    loc: 'link',
    dates: ['updated', 'modified', 'published'],
    lacking: '<link>',
  },
};

type Entry = {
  loc: string | null;
  lastmod: string | null;
  alternates: { hreflang: string; href: string }[];
  images: string[];
  news: SitemapUrl['news'] | null;
  videoLacks: readonly string[] | null;
};
type Field = 'loc' | 'lastmod' | 'image' | 'part';

/** What is about one thing in an entry: `<news:news>` and `<video:video>`. */
type Group = { readonly name: 'news' | 'video'; readonly parts: Map<string, string> };

/** Of a video, besides the address of its file or player. */
const VIDEO_NEEDS = ['thumbnail_loc', 'title', 'description'] as const;

/** What is kept of all entries together: their number, and their memory in bytes. */
export type KeptEntries = { readonly urls: number; readonly bytes: number };

/** The entries of a file, up to a limit; all are counted. */
class Entries {
  readonly urls: SitemapUrl[] = [];
  count = 0;
  readonly #most: KeptEntries;
  #bytes = 0;

  constructor(most: KeptEntries) {
    this.#most = most;
  }

  add(entry: SitemapUrl): void {
    this.count++;
    if (this.urls.length >= this.#most.urls || this.#bytes >= this.#most.bytes) return;
    this.#bytes += weightOf(entry);
    // Nothing after the first that does not fit: what is kept is the beginning.
    if (this.#bytes <= this.#most.bytes) this.urls.push(entry);
  }
}

export class XmlSitemapScanner implements SitemapScanner {
  readonly #entries: Entries;
  readonly #reader = new XmlReader({
    onOpen: (name, tag) => this.#onOpen(name, tag),
    onClose: () => this.#onClose(),
    onText: (text, verbatim) => this.#onText(text, verbatim),
  });
  #layout: Layout | null = null;
  /** Namespace prefix of the root element, with its colon. */
  #prefix = '';
  /** A violation of the format that does not prevent reading. */
  #fault: string | null = null;
  /** Whether references are entities of HTML, as far as seen. */
  readonly #entities = new Map<string, boolean>();
  /** An address was left out for such an entity. */
  #hasEntity = false;
  /** A root element is in another one, which some generators write around their files. */
  #isNested = false;
  #extras = 0;
  #entry: Entry = emptyEntry();
  #collecting: Field | null = null;
  #group: Group | null = null;
  /** The element of the group that is collected. */
  #part = '';
  #text = '';

  constructor(most: KeptEntries) {
    this.#entries = new Entries(most);
  }

  push(text: string): void {
    this.#reader.push(text);
  }

  end(): SitemapScan {
    this.#reader.end();
    const error = this.#reader.fatal ?? this.#unfinished() ?? this.#fault;
    return {
      kind: error ? 'invalid' : (this.#layout?.kind ?? 'invalid'),
      error,
      urls: this.#entries.urls,
      urlCount: this.#entries.count,
    };
  }

  #unfinished(): string | null {
    const { rest, open } = this.#reader;
    if (!this.#layout) return rest.trim() === '' ? 'It is empty.' : 'It is not XML.';
    if (open.length > 0) return `It ends inside <${open.at(-1)}>.`;
    if (this.#entries.count > 0) return null;
    if (this.#isNested) return 'Its root element is in another one of the same name, where entries do not count.';
    return this.#hasEntity ? this.#fault : `It has no ${this.#layout.lacking} entry.`;
  }

  #onText(text: string, verbatim: boolean): void {
    if (this.#collecting) {
      if (this.#text.length <= MAX_TEXT) this.#text += verbatim ? text.replaceAll('&', '&amp;') : text;
    } else if (!this.#layout && text.replace(/^\uFEFF/, '').trim() !== '') this.#reader.fatal = 'It is not XML.';
  }

  #onOpen(name: string, tag: string): void {
    const { open } = this.#reader;
    if (!this.#layout) this.#onRoot(name, tag);
    const layout = this.#layout;
    if (!layout) return;
    if (open.length === layout.depth) {
      this.#entry = emptyEntry();
      this.#isNested ||= layout.kind !== 'feed' && name === open[0];
    }
    if (open.length === layout.depth + 1 && this.#isInEntry(layout)) this.#onField(name, tag, layout);
    else if (open.length === layout.depth + 2) this.#onPart(localOf(name), localOf(open[layout.depth] ?? ''));
  }

  #onPart(name: string, parent: string): void {
    if (name === 'loc' && parent === 'image') this.#collect('image');
    else if (this.#group !== null) {
      this.#part = name;
      this.#collect('part');
    }
  }

  #isInEntry(layout: Layout): boolean {
    return layout.entry === null || this.#reader.open[layout.depth - 1] === this.#prefix + layout.entry;
  }

  #onRoot(name: string, tag: string): void {
    const local = localOf(name);
    const layout = Object.hasOwn(LAYOUTS, local) ? LAYOUTS[local] : undefined;
    if (layout) {
      this.#layout = layout;
      this.#prefix = name.slice(0, name.length - local.length);
      if (layout.kind !== 'feed' && !hasNamespace(tag)) this.#fault = 'Its root element lacks the sitemap namespace.';
    } else
      this.#reader.fatal =
        local.toLowerCase() === 'html'
          ? 'It is a web page, not a sitemap.'
          : `Its root element is <${name.slice(0, 40)}>, not <urlset> or <sitemapindex>.`;
  }

  #onField(name: string, tag: string, layout: Layout): void {
    const own = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '';
    if (own === layout.loc) {
      const href = layout.kind === 'feed' ? this.#feedLink(tag) : null;
      if (href !== null) this.#entry.loc ??= href;
      else if (!tag.includes('href')) this.#collect('loc');
    } else if (layout.dates.includes(own)) this.#collect('lastmod');
    else if (name.endsWith(':link')) this.#onAlternate(tag);
    else if (layout.kind === 'urlset' && /:(?:news|video)$/.test(name))
      this.#group = { name: localOf(name) as Group['name'], parts: new Map() };
  }

  /** Atom puts the address in an attribute; other links of the entry are not its own address. */
  #feedLink(tag: string): string | null {
    const attributes = attributesOf(tag);
    const rel = attributes.get('rel');
    return rel === undefined || rel === 'alternate' ? this.#resolved(attributes.get('href')) : null;
  }

  #onAlternate(tag: string): void {
    const attributes = attributesOf(tag);
    const hreflang = attributes.get('hreflang');
    const href = this.#resolved(attributes.get('href'));
    if (
      attributes.get('rel') !== 'alternate' ||
      hreflang === undefined ||
      href === null ||
      !this.#hasRoom(this.#entry.alternates)
    )
      return;
    this.#entry.alternates.push({ hreflang: hreflang.trim().slice(0, 100), href });
  }

  #hasRoom(list: readonly unknown[]): boolean {
    if (list.length >= MAX_EXTRAS || this.#extras >= MAX_EXTRAS_OF_FILE) return false;
    this.#extras++;
    return true;
  }

  #collect(field: Field): void {
    this.#collecting = field;
    this.#text = '';
  }

  #onClose(): void {
    const layout = this.#layout;
    if (!layout) return;
    const depth = this.#reader.open.length;
    if (
      this.#collecting &&
      depth === layout.depth + (this.#collecting === 'image' || this.#collecting === 'part' ? 1 : 0)
    ) {
      // Only addresses have to be understood.
      const text = this.#collecting === 'part' ? this.#text.trim() : this.#resolved(this.#text);
      this.#take(this.#collecting, text ?? '');
      this.#collecting = null;
    } else if (depth === layout.depth) this.#endGroup();
    else if (depth === layout.depth - 1 && this.#entry.loc) this.#keep(this.#entry.loc, this.#entry);
  }

  #take(field: Field, text: string): void {
    if (field === 'loc') this.#entry.loc = text;
    else if (field === 'lastmod') this.#entry.lastmod ??= this.#layout?.kind === 'feed' ? isoDate(text) : text;
    else if (field === 'part') {
      const parts = this.#group?.parts;
      if (text !== '' && parts !== undefined && parts.size < MAX_PARTS)
        parts.set(this.#part.slice(0, 100), text.slice(0, 100));
    } else if (text !== '' && this.#hasRoom(this.#entry.images)) this.#entry.images.push(text);
  }

  #endGroup(): void {
    const group = this.#group;
    this.#group = null;
    if (group === null) return;
    const { name, parts } = group;
    if (name === 'news')
      this.#entry.news ??= { date: parts.get('publication_date') ?? null, titled: parts.has('title') };
    else {
      const lacks: string[] = VIDEO_NEEDS.filter((part) => !parts.has(part));
      if (!parts.has('content_loc') && !parts.has('player_loc')) lacks.push('content_loc or player_loc');
      if (lacks.length > 0) this.#entry.videoLacks ??= lacks;
    }
  }

  #keep(loc: string, { lastmod, alternates, images, news, videoLacks }: Entry): void {
    this.#entry = emptyEntry();
    this.#entries.add({
      loc,
      lastmod,
      ...(alternates.length > 0 ? { alternates } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(news ? { news } : {}),
      ...(videoLacks ? { videoLacks } : {}),
    });
  }

  /**
   * Null without text, and for a text with an entity of HTML: what it stands for was meant, and as written it is an
   * address that never existed. A bare & is what it looks like.
   */
  #resolved(text: string | undefined): string | null {
    let isUnknown = false;
    const unknown = (reference: string | undefined): void => {
      this.#fault ??= 'It is not well-formed: an & is not written as &amp;.';
      isUnknown ||= reference !== undefined && this.#isHtmlEntity(reference);
    };
    if (text === undefined) return null;
    const resolved = withoutReferences(text.slice(0, MAX_TEXT), unknown).trim();
    this.#hasEntity ||= isUnknown;
    return isUnknown ? null : resolved;
  }

  /** `&eacute;`, but not `&page;`, which is a parameter behind a bare &. */
  #isHtmlEntity(reference: string): boolean {
    const known = this.#entities.get(reference);
    if (known !== undefined || this.#entities.size >= MAX_ENTITIES) return known ?? false;
    const [node] = parseFragment(reference).childNodes;
    const isEntity = node !== undefined && 'value' in node && (!node.value.endsWith(';') || node.value === ';');
    this.#entities.set(reference, isEntity);
    return isEntity;
  }
}

function emptyEntry(): Entry {
  return { loc: null, lastmod: null, alternates: [], images: [], news: null, videoLacks: null };
}

function hasNamespace(tag: string): boolean {
  return [...attributesOf(tag)].some(
    ([name, value]) => (name === 'xmlns' || name.startsWith('xmlns:')) && NAMESPACE.test(value.trim()),
  );
}

/** The name without its namespace prefix. */
function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Feeds use RFC 822 dates, sitemaps W3C dates. */
function isoDate(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** One address per line. */
export class TextSitemapScanner implements SitemapScanner {
  readonly #entries: Entries;
  #rest = '';
  #line = 0;
  #error: string | null = null;

  constructor(most: KeptEntries) {
    this.#entries = new Entries(most);
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
    const { urls, count } = this.#entries;
    const error = this.#error ?? (count === 0 ? 'It is empty.' : null);
    return { kind: error ? 'invalid' : 'text', error, urls, urlCount: count };
  }

  #read(whole: string): void {
    this.#line++;
    const line = whole.replace(/^\uFEFF/, '').trim();
    if (line === '') return;
    if (!/^https?:\/\//i.test(line) || parseUrl(line) === null) {
      this.#error ??= `Line ${this.#line} is not an address.`;
      return;
    }
    this.#entries.add({ loc: line, lastmod: null });
  }
}
