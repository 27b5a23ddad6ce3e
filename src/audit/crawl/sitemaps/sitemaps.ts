/**
 * Finds and reads the sitemaps of a site: those in robots.txt, else the usual locations, and the entries of sitemap
 * indexes.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createInflateRaw } from 'node:zlib';
import pLimit from 'p-limit';
import type { FetchAnswer, FetchResult } from '../../../model/fetching.ts';
import { GZIP_TRAILER, gzipDataStart, isGzip } from '../../../model/gzip.ts';
import { SHARES, SITE_BYTES, weightOf } from '../../memory.ts';
import { createTimeSlices, inSlices, type Pausable, type TimeSlices } from '../../timeSlices.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { looksLikeHtml, mediaTypeOf, outcomeOf } from '../outcome.ts';
import type { SitemapFile, SitemapUrl } from '../site.ts';
import { crawlUrl, isSameSite } from '../url.ts';
import { type SitemapScan, type SitemapScanner, TextSitemapScanner, XmlSitemapScanner } from './sitemapScanner.ts';

export const SITEMAP_LIMITS = {
  /** Per file, decompressed; the protocol's own limit. */
  bytes: 50 * 1024 * 1024,
  /** Kept from all files together; the protocol's limit for one file. */
  urls: 50_000,
  /** The same in memory, bytes. */
  keptBytes: SITE_BYTES * SHARES.sitemaps,
  files: 25,
  /** An index (1) may point to another index (2), which violates the protocol but is not rare. */
  depth: 3,
  /** All files together, decompressed. */
  totalBytes: 100 * 1024 * 1024,
  /** All files together, ms. */
  totalMs: 30_000,
  requestMs: 15_000,
} as const;

export type SitemapLimits = { readonly [Name in keyof typeof SITEMAP_LIMITS]: number };

/** Few sitemaps are larger. Those are asked for again, few at once in the whole process, as each may take much memory. */
const LARGE = 8 * 1024 * 1024;
const inTurn = pLimit(2);

const USUAL_PLACES = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml'];
const GZIP_RATIO = 200;
/** The compression ratio of smaller files is not limited. */
const GROWN = 1024 * 1024;
const PIECE = 64 * 1024;
/** Each member of a gzip file costs the same however small it is. */
const MAX_MEMBERS = 5000;

export type SitemapSearch = {
  readonly origin: string;
  /** Sitemap URLs in robots.txt. */
  readonly named: readonly string[];
  readonly mayFetch: (url: string) => boolean;
};

export async function findSitemaps(
  search: SitemapSearch,
  env: CrawlEnv,
  limits: SitemapLimits = limitsOf(env),
): Promise<readonly SitemapFile[]> {
  const collector = new Collector(search, env, limits);
  const named = search.named.flatMap((url) => crawlUrl(url, search.origin) ?? []);
  if (named.length > 0) await collector.read(named, 'robots', 1);
  // One sitemap at a usual location is enough.
  else
    for (const place of USUAL_PLACES)
      if (collector.files.length === 0) await collector.read([search.origin + place], 'guess', 1);
  return collector.files;
}

function limitsOf({ siteBytes = SITE_BYTES }: CrawlEnv): SitemapLimits {
  return { ...SITEMAP_LIMITS, keptBytes: siteBytes * SHARES.sitemaps };
}

class Collector {
  /** In request order. */
  readonly #read = new Map<string, SitemapFile | null>();
  readonly #search: SitemapSearch;
  readonly #env: CrawlEnv;
  readonly #limits: SitemapLimits;
  readonly #limit = pLimit(2);
  readonly #endsAt: number;
  readonly #slices: TimeSlices;
  /** Ends once the last requested file is counted. */
  #counted: Promise<unknown> = Promise.resolve();
  #bytes = 0;
  #urls = 0;
  #keptBytes = 0;

  constructor(search: SitemapSearch, env: CrawlEnv, limits: SitemapLimits) {
    this.#search = search;
    this.#env = env;
    this.#limits = limits;
    this.#endsAt = env.now() + limits.totalMs;
    this.#slices = createTimeSlices(env);
  }

  get files(): readonly SitemapFile[] {
    return [...this.#read.values()].filter((file) => file !== null);
  }

  async read(urls: readonly string[], from: SitemapFile['from'], depth: number): Promise<void> {
    await Promise.all(
      urls.map((url) => this.#limit(() => this.#readOne(url, from)).then((file) => this.#follow(file, depth))),
    );
  }

  /** Follows an index's entries only on its own site or the audited one. */
  async #follow(file: SitemapFile | null, depth: number): Promise<void> {
    if (file?.kind !== 'index' || depth >= this.#limits.depth) return;
    const children = await inSlices(this.#children(file), this.#env, () => this.#isOver());
    await this.read(children ?? [], 'index', depth + 1);
  }

  *#children({ urls, outcome }: SitemapFile): Pausable<string[]> {
    const children: string[] = [];
    for (const { loc } of urls) {
      const url = crawlUrl(loc);
      if (url !== null && (isSameSite(url, outcome.url) || isSameSite(url, this.#search.origin))) children.push(url);
      if (children.length >= this.#limits.files) break;
      yield;
    }
    return children;
  }

  /** The first entries that fit into what remains of the limits. */
  #fitting(found: readonly SitemapUrl[]): readonly SitemapUrl[] {
    let kept = 0;
    for (const entry of found.slice(0, this.#limits.urls - this.#urls)) {
      const bytes = weightOf(entry);
      if (this.#keptBytes + bytes > this.#limits.keptBytes) break;
      this.#keptBytes += bytes;
      kept += 1;
    }
    return kept === found.length ? found : found.slice(0, kept);
  }

  #isOver(): boolean {
    return this.#env.signal?.aborted === true || this.#env.now() >= this.#endsAt;
  }

  #mayRead(url: string): boolean {
    const room = this.#read.size < this.#limits.files && this.#bytes < this.#limits.totalBytes;
    return room && !this.#isOver() && !this.#read.has(url) && this.#search.mayFetch(url);
  }

  async #readOne(url: string, from: SitemapFile['from']): Promise<SitemapFile | null> {
    // Checking robots.txt takes time, and it may disallow any number of files.
    if (this.#slices.isDue()) await this.#slices.pause();
    if (!this.#mayRead(url)) return null;
    this.#read.set(url, null);
    const file = this.#fetchOne(url, from, this.#counted);
    this.#counted = file;
    return file;
  }

  /** The files share limits, so they are counted in the order in which they were requested. */
  async #fetchOne(url: string, from: SitemapFile['from'], earlier: Promise<unknown>): Promise<SitemapFile | null> {
    const most = this.#limits.bytes;
    let read = await this.#readUpTo(url, from, Math.min(LARGE, most));
    if (read?.isTooLarge && most > LARGE) read = await inTurn(() => this.#readUpTo(url, from, most));
    await earlier;
    // Nothing says that a file at a usual place is a sitemap.
    if (read === null || (from === 'guess' && read.isTooLarge)) return null;
    const { scan, bytes, outcome } = read;
    const urls = this.#fitting(scan.urls);
    const file: SitemapFile = { url, from, outcome, bytes, ...scan, urls };
    this.#bytes += bytes;
    if (scan.kind !== 'index') this.#urls += urls.length;
    this.#read.set(url, file);
    return file;
  }

  async #readUpTo(url: string, from: SitemapFile['from'], maxBytes: number) {
    const result = await this.#env.fetch(url, {
      maxBytes,
      timeoutMs: Math.max(1, Math.min(this.#limits.requestMs, this.#endsAt - this.#env.now())),
      ...(this.#env.signal ? { signal: this.#env.signal } : {}),
    });
    const isTooLarge = !result.ok && result.failure === 'too_large';
    if (from === 'guess' && !isTooLarge && !isThere(result)) return null;
    const reading = await readAnswer(result, this.#limits, () => this.#isOver());
    return { ...reading, outcome: outcomeOf(result), isTooLarge };
  }
}

/** A usual location that answers with the site's error page has no sitemap. */
function isThere(result: FetchResult): boolean {
  if (!result.ok) return false;
  const start = new TextDecoder().decode(result.body.subarray(0, 2000));
  return result.status >= 200 && result.status < 300 && !looksLikeHtml(start, mediaTypeOf(result.headers));
}

type Decoder = InstanceType<typeof TextDecoder>;
type Reading = { readonly scan: SitemapScan; readonly bytes: number };

function invalid(error: string, bytes = 0): Reading {
  return { scan: { kind: 'invalid', error, urls: [], urlCount: 0 }, bytes };
}

async function readAnswer(result: FetchResult, limits: SitemapLimits, isOver: () => boolean): Promise<Reading> {
  if (!result.ok) return invalid(result.failure === 'too_large' ? 'It is larger than 50 MB.' : result.message);
  if (result.status < 200 || result.status >= 300) return invalid(`It answers with HTTP ${result.status}.`);
  const pieces = isGzip(result.body) ? gunzipped(result.body) : slices(result.body);
  try {
    return await scanPieces(pieces, result, limits, isOver);
  } catch {
    return invalid('It is not valid gzip.');
  }
}

async function scanPieces(
  pieces: AsyncIterable<Uint8Array>,
  result: FetchAnswer,
  limits: SitemapLimits,
  isOver: () => boolean,
): Promise<Reading> {
  let decoder: Decoder | null = null;
  let scanner: SitemapScanner | null = null;
  let bytes = 0;
  const most = { urls: limits.urls, bytes: limits.keptBytes };
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > limits.bytes) return invalid('It is larger than 50 MB.', bytes);
    if (bytes > GROWN && bytes > result.body.length * GZIP_RATIO)
      return invalid(`It grows to over ${GZIP_RATIO} times its size when decompressed.`, bytes);
    decoder ??= decoderFor(piece, result);
    const text = decoder.decode(piece, { stream: true });
    scanner ??=
      /^[\uFEFF\s]*</.test(text) || mediaTypeOf(result.headers).endsWith('xml')
        ? new XmlSitemapScanner(most)
        : new TextSitemapScanner(most);
    scanner.push(text);
    await yieldToEventLoop();
    if (isOver()) return invalid('The time was over before all of it was read.', bytes);
  }
  return { scan: scanner?.end() ?? invalid('It is empty.').scan, bytes };
}

function decoderFor(start: Uint8Array, result: FetchAnswer): Decoder {
  const head = String.fromCharCode(...start.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(head)?.[1];
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(result.headers['content-type']?.[0] ?? '')?.[1];
  const label = head.startsWith('\xFF\xFE')
    ? 'utf-16le'
    : head.startsWith('\xFE\xFF')
      ? 'utf-16be'
      : (declared ?? charset ?? 'utf-8');
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}

async function* slices(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE);
}

/** As lenient as browsers: what follows the compressed data is ignored. */
async function* gunzipped(body: Uint8Array): AsyncGenerator<Uint8Array> {
  let rest = body;
  for (let members = 0; members < MAX_MEMBERS; members += 1) {
    const start = gzipDataStart(rest);
    if (start === null && members === 0) throw new Error('no gzip');
    if (start === null) return;
    const inflate = createInflateRaw({ chunkSize: PIECE });
    inflate.end(rest.subarray(start));
    yield* inflate;
    rest = rest.subarray(start + inflate.bytesWritten + GZIP_TRAILER);
  }
}
