/** Pages that share something, and how wide a title is. */
import { simHashDistance } from '../facts/simHash.ts';
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

/**
 * Groups of pages whose main text is the same or nearly so. Candidates share one of four 16-bit bands of the SimHash: with up to three
 * bits of difference one band is always equal, so nothing is missed and not every pair is compared.
 */
export function alikePages(pages: readonly HtmlPage[]): HtmlPage[][] {
  const groupOf = new Map<HtmlPage, HtmlPage[]>();
  const bands = new Map<string, HtmlPage[]>();
  for (const page of pages) {
    const home = candidates(page, bands).find((other) => isAlike(page, other));
    if (home !== undefined) {
      const group = groupOf.get(home) ?? [home];
      group.push(page);
      groupOf.set(home, group);
      continue;
    }
    for (const key of bandsOf(page)) bands.set(key, [...(bands.get(key) ?? []), page]);
  }
  return [...groupOf.values()];
}

function bandsOf({ facts }: HtmlPage): string[] {
  if (facts.simHash === '') return [`text ${facts.textHash}`];
  return [0, 4, 8, 12].map((at) => `${at} ${facts.simHash.slice(at, at + 4)}`);
}

function candidates(page: HtmlPage, bands: ReadonlyMap<string, HtmlPage[]>): HtmlPage[] {
  return bandsOf(page).flatMap((key) => bands.get(key) ?? []);
}

function isAlike(a: HtmlPage, b: HtmlPage): boolean {
  if (a.facts.textHash === b.facts.textHash) return true;
  if (a.facts.simHash === '' || b.facts.simHash === '') return false;
  const close = simHashDistance(a.facts.simHash, b.facts.simHash) <= THRESHOLDS.nearDuplicateBits;
  return close && Math.min(a.facts.wordCount, b.facts.wordCount) >= 0.8 * Math.max(a.facts.wordCount, b.facts.wordCount);
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
