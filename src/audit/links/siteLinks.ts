/**
 * The links of a whole crawl as facts, built once: who links where, from which position and with which anchor, and what
 * that gives each page. Pure.
 */

import type { LinkPosition } from '../../model/findings.ts';
import { forbidsFollowing } from '../crawl/pageLeads.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import {
  EXTERNAL,
  isMoved,
  type LinkTable,
  NOFOLLOW,
  placeIn,
  readingLinks,
  SPONSORED,
  sourceOf,
  TEMPLATE,
  UGC,
} from './linkTable.ts';
import { ranking } from './pageRank.ts';
import { placing } from './positions.ts';

export type SiteLink = {
  /** The page on which it stands. */
  readonly from: CrawledPage;
  /** The address as linked, before redirects, without tracking parameters. */
  readonly to: string;
  readonly internal: boolean;
  readonly position: LinkPosition;
  /** Its text, else its name (such as an image's alt); at most 200 characters. */
  readonly anchor: string;
  /** The same anchor and target are on most pages of the site, or of its language. */
  readonly template: boolean;
  readonly nofollow: boolean;
  readonly sponsored: boolean;
  readonly ugc: boolean;
};

/** `pages`: distinct ones. */
export type LinkCount = { readonly pages: number; readonly links: number };

/** What links give one page. Links of a page to itself count nowhere. */
export type PageLinks = {
  /** From other crawled pages, through redirects as well. */
  readonly inlinks: LinkCount;
  /** To other addresses of the site. */
  readonly outlinks: LinkCount;
  /** To other sites. */
  readonly external: LinkCount;
  /** Over all pages they add up to 1. Links with nofollow pass nothing. */
  readonly pageRank: number;
  /** Clicks from the start page; null if no link leads there. */
  readonly depth: number | null;
  /** No other crawled page links to it, and it is not the start page. */
  readonly orphan: boolean;
};

/** The links to one address, as far as pages repeat them. */
export type SharedTarget = {
  /** Pages that link there, and their links. */
  readonly linked: LinkCount;
  /** Each link that more than half of these pages have in common: one edit of a template each. The most repeated first. */
  readonly repeated: readonly { readonly position: LinkPosition; readonly anchor: string; readonly pages: number }[];
};

export type SiteLinks = {
  readonly links: number;
  /** What their columns and indexes take in memory, beside addresses and anchors. */
  readonly bytes: number;
  /** Links to an address (before redirects) in the order of pages. */
  readonly linksTo: (address: string) => Iterable<SiteLink>;
  /** Links of a page in the order of its document. */
  readonly linksOf: (page: CrawledPage) => Iterable<SiteLink>;
  /** The page that a link to the address leads to, after redirects; null if it is none of the crawl. */
  readonly landingOf: (address: string) => CrawledPage | null;
  /** Null for an address that redirects: its links count for the page they lead to. */
  readonly pageLinks: (page: CrawledPage) => PageLinks | null;
  /** Null if fewer than three pages link to the address. */
  readonly sharedTarget: (address: string) => SharedTarget | null;
  /** The same in slices: a site may have millions of links to one address. */
  readonly findingShared: (address: string) => Pausable<SharedTarget | null>;
};

/** Two pages have nothing in common that needs a template. */
const MIN_SHARED = 3;

const built = new WeakMap<Crawl, SiteLinks>();

export function siteLinks(crawl: Crawl): SiteLinks {
  let links = built.get(crawl);
  if (links === undefined) {
    links = atOnce(building(crawl));
    built.set(crawl, links);
  }
  return links;
}

/** Builds them in slices, before anybody asks for them. */
export function* preparingLinks(crawl: Crawl): Pausable<void> {
  if (!built.has(crawl)) built.set(crawl, yield* building(crawl));
}

function* building(crawl: Crawl): Pausable<SiteLinks> {
  const table = yield* readingLinks(crawl);
  yield* placing(table);
  const counts = yield* counting(table);
  const rank = yield* ranking(yield* graphOf(table));
  const numbers = new Map(table.pages.map((page, number) => [page, number]));
  const linkAt = (link: number): SiteLink => linkOf(table, link);

  function* linksTo(address: string): Iterable<SiteLink> {
    const target = table.targetOf(address);
    if (target !== undefined) for (const link of linksInto(table, target)) yield linkAt(link);
  }

  function* linksOf(page: CrawledPage): Iterable<SiteLink> {
    const number = numbers.get(page);
    if (number === undefined) return;
    const end = table.pageStart[number + 1] as number;
    for (let link = table.pageStart[number] as number; link < end; link += 1) yield linkAt(link);
  }

  function landingOf(address: string): CrawledPage | null {
    const target = table.targetOf(address);
    return target === undefined ? null : (table.pages[table.landing(target)] ?? null);
  }

  function pageLinks(page: CrawledPage): PageLinks | null {
    const number = numbers.get(page);
    if (number === undefined || isMoved(page)) return null;
    const of = (column: keyof Counts): number => counts[column][number] as number;
    return {
      inlinks: { pages: of('inPages'), links: of('inLinks') },
      outlinks: { pages: of('outPages'), links: of('outLinks') },
      external: { pages: of('externalPages'), links: of('externalLinks') },
      pageRank: rank[number] as number,
      depth: page.depth,
      orphan: of('inPages') === 0 && page.from !== 'start',
    };
  }

  return {
    links: table.targets.length,
    bytes: [table.targets, table.anchorOf, table.flags, table.pageStart, table.byTarget, table.targetStart].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    ),
    linksTo,
    linksOf,
    landingOf,
    pageLinks,
    sharedTarget: (address) => atOnce(findingShared(table, table.targetOf(address))),
    findingShared: (address) => findingShared(table, table.targetOf(address)),
  };
}

function linkOf(table: LinkTable, link: number): SiteLink {
  const flags = table.flags[link] as number;
  return {
    from: table.pages[sourceOf(table, link)] as CrawledPage,
    to: table.addresses[table.targets[link] as number] as string,
    internal: (flags & EXTERNAL) === 0,
    position: placeIn(flags) as LinkPosition,
    anchor: table.anchors[table.anchorOf[link] as number] as string,
    template: (flags & TEMPLATE) !== 0,
    nofollow: (flags & NOFOLLOW) !== 0,
    sponsored: (flags & SPONSORED) !== 0,
    ugc: (flags & UGC) !== 0,
  };
}

const linksInto = ({ byTarget, targetStart }: LinkTable, target: number): Uint32Array =>
  byTarget.subarray(targetStart[target], targetStart[target + 1]);

type Counts = Readonly<
  Record<'inPages' | 'inLinks' | 'outPages' | 'outLinks' | 'externalPages' | 'externalLinks', Uint32Array>
>;

const addTo = (column: Uint32Array, at: number): void => {
  column[at] = (column[at] as number) + 1;
};

function* counting(table: LinkTable): Pausable<Counts> {
  const { pages, addresses, targets, flags, pageStart, landing } = table;
  const column = (): Uint32Array => new Uint32Array(pages.length);
  const counts: Counts = {
    inPages: column(),
    inLinks: column(),
    outPages: column(),
    outLinks: column(),
    externalPages: column(),
    externalLinks: column(),
  };
  const seenTarget = new Int32Array(addresses.length).fill(-1);
  const seenPage = new Int32Array(pages.length).fill(-1);
  for (let page = 0; page < pages.length; page += 1) {
    yield;
    const end = pageStart[page + 1] as number;
    for (let link = pageStart[page] as number; link < end; link += 1) {
      const target = targets[link] as number;
      const isNew = seenTarget[target] !== page;
      seenTarget[target] = page;
      const to = landing(target);
      if (to === page || target === page) continue;
      const isExternal = ((flags[link] as number) & EXTERNAL) !== 0;
      addTo(isExternal ? counts.externalLinks : counts.outLinks, page);
      if (isNew) addTo(isExternal ? counts.externalPages : counts.outPages, page);
      if (to < 0) continue;
      addTo(counts.inLinks, to);
      if (seenPage[to] !== page) addTo(counts.inPages, to);
      seenPage[to] = page;
    }
  }
  return counts;
}

/** Each page's links that pass something on, to each other page once. */
function* graphOf(table: LinkTable): Pausable<Parameters<typeof ranking>[0]> {
  const { pages, targets, flags, pageStart, landing } = table;
  const edgeStart = new Uint32Array(pages.length + 1);
  const edges = new Uint32Array(targets.length);
  const seen = new Int32Array(pages.length).fill(-1);
  let count = 0;
  for (const [number, page] of pages.entries()) {
    yield;
    edgeStart[number] = count;
    if (page.facts === null || forbidsFollowing(page.facts, page.outcome, 'googlebot')) continue;
    const end = pageStart[number + 1] as number;
    for (let link = pageStart[number] as number; link < end; link += 1) {
      const to = ((flags[link] as number) & NOFOLLOW) === 0 ? landing(targets[link] as number) : -1;
      if (to < 0 || to === number || seen[to] === number) continue;
      seen[to] = number;
      edges[count] = to;
      count += 1;
    }
  }
  edgeStart[pages.length] = count;
  return { edgeStart, edges, isNode: Uint8Array.from(pages, (page) => (isMoved(page) ? 0 : 1)) };
}

function* findingShared(table: LinkTable, target: number | undefined): Pausable<SharedTarget | null> {
  if (target === undefined) return null;
  const repeated = new Map<string, { position: LinkPosition; anchor: string; pages: number; last: number }>();
  let [pages, links, last] = [0, 0, -1];
  for (const link of linksInto(table, target)) {
    const from = sourceOf(table, link);
    links += 1;
    if (links % 100 === 0) yield;
    if (from !== last) pages += 1;
    last = from;
    const { position, anchor } = linkOf(table, link);
    const key = `${position} ${anchor}`;
    const known = repeated.get(key);
    if (known === undefined) repeated.set(key, { position, anchor, pages: 1, last: from });
    else if (known.last !== from) {
      known.pages += 1;
      known.last = from;
    }
  }
  if (pages < MIN_SHARED) return null;
  return {
    linked: { pages, links },
    repeated: [...repeated.values()]
      .filter((each) => each.pages > pages / 2)
      .sort((a, b) => b.pages - a.pages)
      .map(({ position, anchor, pages: on }) => ({ position, anchor, pages: on })),
  };
}
