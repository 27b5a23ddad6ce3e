/** Which phrase of two or three words a text repeats most. */
import { isStopWord } from './language.ts';
import type { PageFacts } from './pageFacts.ts';

const MIN_WORDS = 300;
/** Phrases that come more rarely, of all words, are nobody's concern. */
const MIN_SHARE = 0.02;

/** `words` in lower case. Null for short texts, and where nothing is repeated much. Words are rarely frequent, so few phrases are ever counted. */
export function repeatedPhrase(words: readonly string[]): PageFacts['repeated'] {
  if (words.length < MIN_WORDS) return null;
  const least = Math.ceil(MIN_SHARE * words.length);
  const content = words.filter(isContent);
  const counts = new Map<string, number>();
  for (const word of content) counts.set(word, (counts.get(word) ?? 0) + 1);
  const phrases = new Map<string, number>();
  const isFrequent = (word: string | undefined): word is string => word !== undefined && (counts.get(word) as number) >= least;
  for (let at = 0; at < content.length; at += 1) {
    const [first, second, third] = [content[at], content[at + 1], content[at + 2]];
    if (!isFrequent(first) || !isFrequent(second)) continue;
    add(phrases, `${first} ${second}`);
    if (isFrequent(third)) add(phrases, `${first} ${second} ${third}`);
  }
  const [most = 0] = [...phrases.values()].sort((a, b) => b - a);
  // The longer phrase tells more, where it is as good as never cut short.
  const ranked = [...phrases].filter(([, count]) => count >= least && count >= 0.8 * most).sort((a, b) => b[0].length - a[0].length);
  const [phrase, count] = ranked[0] ?? ['', 0];
  return count === 0 ? null : { phrase: phrase.slice(0, 100), count, share: Math.round((1000 * count) / words.length) / 1000 };
}

/** Digits and letters of scripts without spaces repeat for other reasons. */
function isContent(word: string): boolean {
  return word.length >= 3 && !isStopWord(word) && !/^\d/.test(word);
}

function add(phrases: Map<string, number>, phrase: string): void {
  phrases.set(phrase, (phrases.get(phrase) ?? 0) + 1);
}
