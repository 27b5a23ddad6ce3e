/** What structured data claims about its main subject, and whether the page shows it. */
import type { PageFacts } from './pageFacts.ts';
import { shortType } from './structuredData.ts';
import { isUnspaced, isWordCode, wordsOf } from './text/words.ts';

type Node = { readonly [property: string]: unknown };

/** Types that describe the page's own subject, rather than the site or the page's frame. */
const SUBJECTS =
  /^(?:\w*Article|BlogPosting|Report|\w*Product|ProductGroup|Recipe|\w*Event|Festival|JobPosting|SoftwareApplication|MobileApplication|WebApplication|VideoGame|Book|Course|Movie)$/;
const TEXT_LIMIT = 100_000;
const NUMBER = /\d+(?:[.,'’\u00a0\u202f ]\d+){0,5}/g;

/** Claims of the first subject in the page's JSON-LD; `shown` is called only if there is one. */
export function claimsOf(data: PageFacts['structuredData'], shown: () => string): PageFacts['claims'] {
  const found = data
    .filter(({ syntax }) => syntax === 'json-ld')
    .flatMap(({ value, selector }) => topNodes(value ?? []).map((node) => ({ node, selector })));
  const subject = found.find(({ node }) =>
    listOf(node['@type']).some((type) => typeof type === 'string' && SUBJECTS.test(shortType(type))),
  );
  if (subject === undefined) return [];
  const { node, selector } = subject;
  const names = [
    claim('headline' in node ? 'headline' : 'name', node.headline ?? node.name),
    claim('author', nameOf(node.author)),
  ];
  const prices = listOf(node.offers).flatMap((offer) => (isNode(offer) ? [claim('offers.price', offer.price)] : []));
  const claims = [...names, prices[0] ?? null].filter((each) => each !== null);
  if (claims.length === 0) return [];
  const text = shown().slice(0, TEXT_LIMIT);
  const visible = plain(text).toLowerCase();
  const amounts = prices.length === 0 ? new Set<string>() : amountsIn(text);
  // With several offers, showing one price is enough.
  const isPriceShown = prices.some((price) => price !== null && isAmountShown(price.value, amounts));
  return claims.map(({ property, value }) => {
    const seen =
      property === 'offers.price'
        ? isPriceShown
        : wordsOf(plain(value), 100).every((word) => containsWord(visible, word));
    return { property, value: value.slice(0, 200), seen, selector };
  });
}

function claim(property: string, value: unknown): { readonly property: string; readonly value: string } | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? { property, value: text.trim() } : null;
}

/** Matches whole words only; in unspaced scripts, anywhere. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at + word.length)];
    if (isUnspaced(word.charCodeAt(0)) || (!isLetter(before) && !isLetter(after))) return true;
  }
  return false;
}

function isLetter(code: number): boolean {
  return !Number.isNaN(code) && !isUnspaced(code) && isWordCode(code);
}

/** Only for a single author, and not for a bare reference. */
function nameOf(author: unknown): unknown {
  const [only, ...others] = listOf(author);
  if (others.length > 0) return undefined;
  return isNode(only) ? only.name : only;
}

function topNodes(value: readonly unknown[]): Node[] {
  return value.flatMap((node) => (isNode(node) ? [node, ...listOf(node['@graph']).filter(isNode)] : []));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

/** Decodes entities and strips accents: markup often has entities, or lacks the accents that the text has. */
function plain(text: string): string {
  const decoded = text.includes('&') ? text.replace(/&(?:#0?39|apos|rsquo|quot|amp|nbsp|ndash|mdash);/g, ' ') : text;
  return /[\u0080-\uffff]/.test(decoded) ? decoded.normalize('NFKD').replace(/[\u0300-\u036f]/g, '') : decoded;
}

/** Digits only, because decimal separators vary. */
function amountsIn(text: string): ReadonlySet<string> {
  const amounts = new Set<string>();
  for (const [number] of text.matchAll(NUMBER)) {
    amounts.add(number.replace(/\D/g, ''));
    if (number.includes(' ')) for (const part of number.split(' ')) amounts.add(part.replace(/\D/g, ''));
  }
  return amounts;
}

/**
 * 49, 49.00 and 49,00 all match `49.00`. A price that is not a number claims nothing, and a price of 0 is usually shown
 * in words: both pass.
 */
function isAmountShown(price: string, amounts: ReadonlySet<string>): boolean {
  const amount = Number(price);
  if (Number.isNaN(amount) || amount === 0) return true;
  const cents = Math.round(amount * 100);
  return (
    amounts.has(String(cents)) ||
    amounts.has(String(amount).replace('.', '')) ||
    (cents % 100 === 0 && amounts.has(String(cents / 100)))
  );
}
