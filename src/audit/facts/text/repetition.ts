/** Finds the two- or three-word phrase that a text repeats most. */

import type { PageFacts } from '../pageFacts.ts';
import { isStopWord } from './language.ts';

const MIN_WORDS = 300;
/** A phrase counts as repeated from this share of all words. */
const MIN_SHARE = 0.02;

/** The text of the words as it is written, and those of them that are code. */
type Written = { readonly sample: string; readonly code: readonly string[] };

/** Expects lower-case words. Null for short texts and when nothing is repeated often. */
export function repeatedPhrase(
  words: readonly string[],
  { sample, code }: Written = { sample: words.join(' '), code: [] },
): PageFacts['repeated'] {
  if (words.length < MIN_WORDS) return null;
  const least = Math.ceil(MIN_SHARE * words.length);
  const content = words.filter(isContent);
  const frequent = frequentWords(content, least);
  const counts = countPhrases(
    content.map((word) => frequent.indexOf(word)),
    frequent.length,
  );
  const most = Math.max(0, ...counts.values());
  let [longest, count] = ['', 0];
  for (const [key, times] of counts) {
    if (times < least || times < 0.8 * most) continue;
    const phrase = phraseOf(key, frequent);
    // Prefer the longer phrase if it occurs almost as often.
    if (phrase.length > longest.length) [longest, count] = [phrase, times];
  }
  // A name in code has no synonym, wherever a phrase begins with it or ends in it.
  count -= Math.max(...longest.split(' ').map((word) => code.filter((each) => each === word).length));
  if (longest === '' || count < least) return null;
  const found = { phrase: longest.slice(0, 100), count, share: Math.round((1000 * count) / words.length) / 1000 };
  return isName(longest, count, sample) ? { ...found, isName: true } : found;
}

function timesIn(text: string, phrase: string): number {
  return phrase === '' ? 0 : text.split(phrase).length - 1;
}

/**
 * Two of its words nearly always stand together with capitals, as the names of places and people do: they have no
 * synonyms.
 */
function isName(phrase: string, count: number, sample: string): boolean {
  const words = phrase.split(' ');
  return words.slice(1).some((word, at) => {
    const pair = `${words[at]} ${word}`;
    const capitalized = pair.replace(/(?<=^| )\p{L}/gu, (letter) => letter.toUpperCase());
    return capitalized !== pair && timesIn(sample, capitalized) >= 0.8 * count;
  });
}

/** Few by definition: at most 1 / `MIN_SHARE` words can be this frequent. */
function frequentWords(words: readonly string[], least: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= least).map(([word]) => word);
}

/**
 * Counts phrases of two and three frequent words. The key encodes the words' 1-based indexes as digits in base `size` +
 * 1.
 */
function countPhrases(places: readonly number[], size: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const add = (key: number): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const base = size + 1;
  for (let at = 0; at + 1 < places.length; at += 1) {
    const [first, second, third = -1] = [places[at] as number, places[at + 1] as number, places[at + 2]];
    if (first < 0 || second < 0) continue;
    const pair = (first + 1) * base + second + 1;
    add(pair);
    if (third >= 0) add(pair * base + third + 1);
  }
  return counts;
}

function phraseOf(key: number, frequent: readonly string[]): string {
  const words: string[] = [];
  for (let rest = key; rest > 0; rest = Math.floor(rest / (frequent.length + 1)))
    words.unshift(frequent[(rest % (frequent.length + 1)) - 1] as string);
  return words.join(' ');
}

/** Digits, and letters of unspaced scripts, repeat for other reasons. */
function isContent(word: string): boolean {
  return word.length >= 3 && !isStopWord(word) && !/^\d/.test(word);
}

/**
 * Whether the word is always a part of the same capitalized name (New York), in a title that has words in lower case,
 * too.
 */
export function isPartOfName(word: string, title: string): boolean {
  const words = title.match(/[\p{L}\d'’-]{1,60}/gu) ?? [];
  const isCapital = (at: number): boolean => /^\p{Lu}/u.test(words[at] ?? '');
  const places = words.flatMap((each, at) => (each.toLowerCase() === word ? [at] : []));
  if (!places.every(isCapital) || !words.some((each) => /^\p{Ll}{4}/u.test(each))) return false;
  return [-1, 1].some((step) => {
    const neighbors = new Set(places.map((at) => (isCapital(at + step) ? words[at + step] : null)));
    return neighbors.size === 1 && !neighbors.has(null);
  });
}
