/** Which phrase of two or three words a text repeats most. */

import type { PageFacts } from '../pageFacts.ts';
import { isStopWord } from './language.ts';

const MIN_WORDS = 300;
/** Phrases that come more rarely, of all words, are nobody's concern. */
const MIN_SHARE = 0.02;

/** `words` in lower case. Null for short texts, and where nothing is repeated much. */
export function repeatedPhrase(words: readonly string[]): PageFacts['repeated'] {
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
    // The longer phrase tells more, where it is as good as never cut short.
    if (phrase.length > longest.length) [longest, count] = [phrase, times];
  }
  return count === 0 ? null : { phrase: longest.slice(0, 100), count, share: Math.round((1000 * count) / words.length) / 1000 };
}

/** At most one in `MIN_SHARE` words can be so frequent: few. */
function frequentWords(words: readonly string[], least: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= least).map(([word]) => word);
}

/** Phrases of two and three frequent words, each by one number: the words' places from 1 on, as digits of base `size` + 1. */
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
  for (let rest = key; rest > 0; rest = Math.floor(rest / (frequent.length + 1))) words.unshift(frequent[(rest % (frequent.length + 1)) - 1] as string);
  return words.join(' ');
}

/** Digits and letters of scripts without spaces repeat for other reasons. */
function isContent(word: string): boolean {
  return word.length >= 3 && !isStopWord(word) && !/^\d/.test(word);
}
