/** Near-duplicate pages, pages that share a text, and title widths. */
import type { Crawl } from '../../../crawl/site.ts';
import { likeness, type Sketch, simHashDistance, sketchOf } from '../../../facts/text/simHash.ts';
import type { Pausable } from '../../../timeSlices.ts';
import type { HtmlPage } from '../../check.ts';
import { THRESHOLDS } from '../../thresholds.ts';
import { hreflangsOf } from '../language/hreflangs.ts';
import { areVersions } from '../language/languageVersions.ts';
import { addressKey } from '../siteIndex.ts';
import { pagedSeries } from './paging.ts';

/** Groups of two or more pages with the same key; empty keys do not match. */
export function pagesSharing(pages: readonly HtmlPage[], keyOf: (page: HtmlPage) => string): HtmlPage[][] {
  const groups = new Map<string, HtmlPage[]>();
  for (const page of pages) {
    const key = keyOf(page);
    if (key.trim() === '') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [page]);
    else group.push(page);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** One page per distinct text: duplicate-content already reports exact copies. */
export function withoutCopies(pages: readonly HtmlPage[]): HtmlPage[] {
  const texts = new Set<string>();
  return pages.filter(
    ({ facts }) => facts.textHash === '' || (!texts.has(facts.textHash) && texts.add(facts.textHash)),
  );
}

/**
 * One page for each paginated series, and one for the versions that name each other by hreflang: these may share a
 * title.
 */
export function* withoutRelatives(pages: readonly HtmlPage[], site: Crawl): Pausable<HtmlPage[]> {
  const kept: HtmlPage[] = [];
  const [series, versions] = [new Set<string>(), new Map<string, HtmlPage>()];
  for (const page of pages) {
    yield;
    const own = pagedSeries(page, site);
    const hreflangs = hreflangsOf(page);
    if (own !== null && series.has(own)) continue;
    if (hreflangs.some(({ url }) => url !== null && isVersionOf(page, versions.get(addressKey(url)), site))) continue;
    if (own !== null) series.add(own);
    if (hreflangs.length > 0) versions.set(addressKey(page.outcome.url), page);
    kept.push(page);
  }
  return kept;
}

function isVersionOf(page: HtmlPage, other: HtmlPage | undefined, site: Crawl): boolean {
  return other !== undefined && areVersions(page, other, site);
}

type Text = {
  readonly page: HtmlPage;
  /** Null for texts too short for a fingerprint. */
  readonly sketch: Sketch | null;
  /** The page last compared with this one, because two pages may share several bands. */
  comparedWith: HtmlPage | null;
};

/**
 * Groups of near-duplicates, pages whose main text is the same or almost the same. Candidates share one of eight 8-bit
 * bands of the SimHash: with at most seven differing bits, at least one band is equal, so no pair is missed although
 * not every pair is compared.
 */
export function* nearDuplicatePages(pages: readonly HtmlPage[]): Pausable<HtmlPage[][]> {
  const groupOf = new Map<HtmlPage, HtmlPage[]>();
  const bands = new Map<string, Text[]>();
  for (const page of pages) {
    yield;
    const { simHash } = page.facts;
    const text: Text = { page, sketch: simHash === '' ? null : sketchOf(simHash), comparedWith: null };
    const keys = bandsOf(page);
    const home = homeOf(text, keys, bands);
    if (home !== null) {
      const group = groupOf.get(home) ?? [home];
      group.push(page);
      groupOf.set(home, group);
      continue;
    }
    for (const key of keys) {
      const band = bands.get(key);
      if (band === undefined) bands.set(key, [text]);
      else band.push(text);
    }
  }
  return [...groupOf.values()];
}

function bandsOf({ facts }: HtmlPage): string[] {
  if (facts.simHash === '') return [`text ${facts.textHash}`];
  return [0, 2, 4, 6, 8, 10, 12, 14].map((at) => `${at} ${facts.simHash.slice(at, at + 2)}`);
}

function homeOf(text: Text, keys: readonly string[], bands: ReadonlyMap<string, readonly Text[]>): HtmlPage | null {
  for (const key of keys) {
    for (const other of bands.get(key) ?? []) {
      if (other.comparedWith === text.page) continue;
      other.comparedWith = text.page;
      if (isNearDuplicate(text, other)) return other.page;
    }
  }
  return null;
}

function isNearDuplicate(a: Text, b: Text): boolean {
  if (a.page.facts.textHash === b.page.facts.textHash) return true;
  if (a.sketch === null || b.sketch === null) return false;
  return (
    simHashDistance(a.sketch, b.sketch) <= THRESHOLDS.nearDuplicateBits &&
    likeness(a.sketch, b.sketch) >= THRESHOLDS.nearDuplicateLikeness
  );
}

const NARROW = /[ijlt.,:;'|!()[\] frI-]/;
const WIDE = /[mwMW@%—]/;

/** Approximate width of the text in a search result, px: East Asian characters are twice as wide as Latin ones. */
export function pixelWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    width += ASCII_WIDTHS[code] ?? widthOf(character, code);
  }
  return width;
}

function widthOf(character: string, code: number): number {
  if (code > 0x2e7f) return 18;
  if (NARROW.test(character)) return 5;
  if (WIDE.test(character)) return 14;
  return /\p{Lu}/u.test(character) ? 12 : 9;
}

const ASCII_WIDTHS = Array.from({ length: 128 }, (_, code) => widthOf(String.fromCharCode(code), code));
