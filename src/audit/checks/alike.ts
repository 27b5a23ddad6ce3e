/** Pages that share something, and how wide a title is. */
import { likeness } from '../facts/simHash.ts';
import type { HtmlPage } from './check.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Groups of two and more pages with the same key; an empty key is shared by nobody. */
export function sharing(pages: readonly HtmlPage[], keyOf: (page: HtmlPage) => string): HtmlPage[][] {
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

type Sketched = { readonly page: HtmlPage; readonly low: number; readonly high: number };

/** One of each text: what whole copies of a page share besides, duplicate-content tells already. */
export function withoutCopies(pages: readonly HtmlPage[]): HtmlPage[] {
  const texts = new Set<string>();
  return pages.filter(({ facts }) => facts.textHash === '' || (!texts.has(facts.textHash) && texts.add(facts.textHash)));
}

/**
 * Groups of pages whose main text is the same or nearly so. Candidates share one of eight bands of 8 bits of the SimHash: with up to
 * seven bits of difference one band is always equal, so nothing is missed and not every pair is compared.
 */
export function alikePages(pages: readonly HtmlPage[]): HtmlPage[][] {
  const groupOf = new Map<HtmlPage, HtmlPage[]>();
  const bands = new Map<string, Sketched[]>();
  for (const page of pages) {
    const { simHash } = page.facts;
    const sketched = { page, low: Number.parseInt(simHash.slice(0, 8), 16), high: Number.parseInt(simHash.slice(8, 16), 16) };
    const keys = bandsOf(page);
    const home = homeOf(sketched, keys, bands);
    if (home !== null) {
      const group = groupOf.get(home) ?? [home];
      group.push(page);
      groupOf.set(home, group);
      continue;
    }
    for (const key of keys) {
      const band = bands.get(key);
      if (band === undefined) bands.set(key, [sketched]);
      else band.push(sketched);
    }
  }
  return [...groupOf.values()];
}

function bandsOf({ facts }: HtmlPage): string[] {
  if (facts.simHash === '') return [`text ${facts.textHash}`];
  return [0, 2, 4, 6, 8, 10, 12, 14].map((at) => `${at} ${facts.simHash.slice(at, at + 2)}`);
}

function homeOf(sketched: Sketched, keys: readonly string[], bands: ReadonlyMap<string, readonly Sketched[]>): HtmlPage | null {
  for (const key of keys) {
    for (const other of bands.get(key) ?? []) if (isAlike(sketched, other)) return other.page;
  }
  return null;
}

function isAlike(a: Sketched, b: Sketched): boolean {
  if (a.page.facts.textHash === b.page.facts.textHash) return true;
  if (a.page.facts.simHash === '' || b.page.facts.simHash === '') return false;
  if (bitsOf(a.low ^ b.low) + bitsOf(a.high ^ b.high) > THRESHOLDS.nearDuplicateBits) return false;
  return likeness(a.page.facts.simHash, b.page.facts.simHash) >= THRESHOLDS.nearDuplicateLikeness;
}

/** How many bits of 32 are set. */
function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const NARROW = /[ijlt.,:;'|!()[\] frI-]/;
const WIDE = /[mwMW@%—]/;

/** Roughly what a result page needs for the text, px: letters of East Asian scripts are twice as wide as Latin ones. */
export function pixelWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if ((character.codePointAt(0) ?? 0) > 0x2e7f) width += 18;
    else if (NARROW.test(character)) width += 5;
    else if (WIDE.test(character)) width += 14;
    else width += /\p{Lu}/u.test(character) ? 12 : 9;
  }
  return width;
}
