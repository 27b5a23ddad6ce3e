/**
 * All links of a site in columns: 13 bytes for each link, beside the addresses and anchor texts, each of which is held
 * once. Links stand in the order of pages and, within a page, of the document. Pure.
 */
import { addressKey, siteIndex } from '../checks/lookups/siteIndex.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import type { LinkFact, PageFacts } from '../facts/pageFacts.ts';
import { areaOf, nameOf } from '../facts/reading.ts';
import type { Pausable } from '../timeSlices.ts';

/** Bits of a link's flags; the three lowest are its place. */
export const NOFOLLOW = 8;
export const SPONSORED = 16;
export const UGC = 32;
/** The same anchor and target are on most pages. */
export const TEMPLATE = 64;
export const EXTERNAL = 128;

/** What the page's landmarks say of a link; `loose` stands in none of them. */
export const PLACES = ['navigation', 'header', 'content', 'footer', 'aside', 'loose'] as const;
export type Place = (typeof PLACES)[number];
export const PLACE_BITS = 7;

export const placeIn = (flags: number): Place => PLACES[flags & PLACE_BITS] as Place;
export const withPlace = (flags: number, place: Place): number => (flags & ~PLACE_BITS) | PLACES.indexOf(place);

const ANCHOR_LIMIT = 200;

export type LinkTable = {
  readonly pages: readonly CrawledPage[];
  /** By target. The first ones are those of `pages`, in the same order. */
  readonly addresses: readonly string[];
  readonly anchors: readonly string[];
  readonly targets: Uint32Array;
  readonly anchorOf: Uint32Array;
  readonly flags: Uint8Array;
  /** The first link of each page, and the number of links. */
  readonly pageStart: Uint32Array;
  /** Links by target, in order. */
  readonly byTarget: Uint32Array;
  readonly targetStart: Uint32Array;
  /** Of an address as written; undefined if no page links there. */
  readonly targetOf: (address: string) => number | undefined;
  /** Of the page that the target leads to, after redirects; -1 if it is none of the crawl. */
  readonly landing: (target: number) => number;
};

/** An entry for an address that redirects. */
export const isMoved = (page: CrawledPage): boolean =>
  page.facts === null && page.outcome.hops.length > 0 && page.from !== 'start';

export function* readingLinks(crawl: Crawl): Pausable<LinkTable> {
  const { pages } = crawl;
  let count = 0;
  for (const { facts } of pages) {
    count += countOf(facts);
    yield;
  }
  const targets = new Uint32Array(count);
  const anchorOf = new Uint32Array(count);
  const flags = new Uint8Array(count);
  const pageStart = new Uint32Array(pages.length + 1);
  const addresses = pages.map(({ url }) => addressKey(url));
  const ids = new Map<string, number>();
  addresses.forEach((address, page) => {
    if (!ids.has(address)) ids.set(address, page);
  });
  // Most links are written like an earlier one: only the first is normalized.
  const written = new Map<string, number>();
  const anchors: string[] = [];
  const anchorIds = new Map<string, number>();
  const addAddress = (address: string): number => addresses.push(address) - 1;
  const addAnchor = (anchor: string): number => anchors.push(anchor) - 1;
  let link = 0;
  for (const [number, { facts }] of pages.entries()) {
    pageStart[number] = link;
    if (facts === null) continue;
    for (const [nth, fact] of facts.links.entries()) {
      if (fact.url === null) continue;
      targets[link] = idOf(fact.url, written, (url) => idOf(addressKey(url), ids, addAddress));
      const anchor = (fact.text === '' ? nameOf(fact) : fact.text).slice(0, ANCHOR_LIMIT);
      anchorOf[link] = idOf(anchor, anchorIds, addAnchor);
      flags[link] = flagsOf(fact, facts, nth);
      link += 1;
    }
    yield;
  }
  pageStart[pages.length] = link;
  const landings = yield* landingsOf(crawl, addresses);
  const targetOf = (address: string): number | undefined => ids.get(addressKey(address));
  return {
    pages,
    addresses,
    anchors,
    targets,
    anchorOf,
    flags,
    pageStart,
    ...(yield* sortedByTarget(targets, addresses.length)),
    targetOf,
    landing: (target) => landings.get(target) ?? (target < pages.length ? target : -1),
  };
}

function countOf(facts: PageFacts | null): number {
  let count = 0;
  for (const { url } of facts?.links ?? []) if (url !== null) count += 1;
  return count;
}

function idOf(text: string, ids: Map<string, number>, add: (text: string) => number): number {
  let id = ids.get(text);
  if (id === undefined) {
    id = add(text);
    ids.set(text, id);
  }
  return id;
}

function flagsOf(fact: LinkFact, facts: PageFacts, nth: number): number {
  let flags = fact.internal ? 0 : EXTERNAL;
  for (const token of fact.rel) {
    if (token === 'nofollow') flags |= NOFOLLOW;
    else if (token === 'sponsored') flags |= SPONSORED;
    else if (token === 'ugc') flags |= UGC;
  }
  return withPlace(flags, placeOf(fact, facts, nth));
}

function placeOf(fact: LinkFact, { landmarks, mainLinks }: PageFacts, nth: number): Place {
  const area = areaOf(fact);
  if (area === 'nav') return 'navigation';
  if (area !== 'main') return area;
  // Facts of earlier versions do not tell which links stand beside the main landmark.
  if (mainLinks === undefined) return landmarks.main > 0 ? 'content' : 'loose';
  return nth >= mainLinks.from && nth < mainLinks.to ? 'content' : 'loose';
}

/** Of targets that are not simply the page of the same number. */
function* landingsOf(crawl: Crawl, addresses: readonly string[]): Pausable<ReadonlyMap<number, number>> {
  const { answerOf } = siteIndex(crawl);
  const numbers = new Map(crawl.pages.map((page, number) => [page, number]));
  const landings = new Map<number, number>();
  for (const [target, address] of addresses.entries()) {
    yield;
    const page = crawl.pages[target];
    if (page !== undefined && !isMoved(page)) continue;
    const answer = answerOf(address);
    const found = answer === null ? null : answer.redirects > 0 ? answerOf(answer.outcome.url) : answer;
    const landing = found?.page == null || isMoved(found.page) ? undefined : numbers.get(found.page);
    if (landing !== undefined) landings.set(target, landing);
    else if (page !== undefined) landings.set(target, -1);
  }
  return landings;
}

/** Links between two pauses. */
const STEP = 10_000;

/** A counting sort. */
function* sortedByTarget(targets: Uint32Array, count: number): Pausable<Pick<LinkTable, 'byTarget' | 'targetStart'>> {
  const targetStart = new Uint32Array(count + 1);
  for (let link = 0; link < targets.length; link += 1) {
    const at = (targets[link] as number) + 1;
    targetStart[at] = (targetStart[at] as number) + 1;
    if (link % STEP === 0) yield;
  }
  for (let target = 0; target < count; target += 1)
    targetStart[target + 1] = (targetStart[target + 1] as number) + (targetStart[target] as number);
  const next = targetStart.slice();
  const byTarget = new Uint32Array(targets.length);
  for (let link = 0; link < targets.length; link += 1) {
    const target = targets[link] as number;
    const at = next[target] as number;
    byTarget[at] = link;
    next[target] = at + 1;
    if (link % STEP === 0) yield;
  }
  return { byTarget, targetStart };
}

/** The page on which a link stands. */
export function sourceOf({ pageStart }: LinkTable, link: number): number {
  let low = 0;
  let high = pageStart.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pageStart[middle] as number) <= link) low = middle;
    else high = middle;
  }
  return low;
}
