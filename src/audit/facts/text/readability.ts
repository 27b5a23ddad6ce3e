/**
 * Inputs to the Flesch formula for an English text: words, sentences, syllables. The start of the text is a large
 * enough sample.
 */
import type { PageFacts } from '../pageFacts.ts';

const TEXT_LIMIT = 5000;
const SILENT_ENDING = /(?:[^laeiouy]es|[^tdaeiouy]ed|[^laeiouy]e)$/;
const VOWELS = /[aeiouy]{1,3}/g;

/** Counts groups of vowels, ignoring silent endings. `word` must be lower-case letters. */
export function syllables(word: string): number {
  if (word.length <= 3) return 1;
  return Math.max(1, word.replace(SILENT_ENDING, '').replace(/^y/, '').match(VOWELS)?.length ?? 1);
}

/** Each paragraph ends a sentence. Words containing digits or symbols, as in code, are skipped. */
export function readingCounts(paragraphs: readonly string[]): PageFacts['reading'] {
  const known = new Map<string, number>();
  let [words, sentences, sounds, left] = [0, 0, 0, TEXT_LIMIT];
  for (const paragraph of paragraphs) {
    let open = false;
    for (const part of paragraph.slice(0, Math.max(0, left)).split(' ')) {
      const word = /^["'“‘(]?([A-Za-z]+(?:['’-][A-Za-z]+)*)[,;:"'”’)]{0,3}((?:[.!?…]["'”’)]?)*)$/.exec(part);
      if (word === null) continue;
      open = true;
      words += 1;
      sounds += soundsOf((word[1] as string).toLowerCase(), known);
      if (word[2] === '') continue;
      sentences += 1;
      open = false;
    }
    left -= paragraph.length;
    if (open) sentences += 1;
  }
  return words === 0 ? null : { words, sentences: Math.max(1, sentences), syllables: sounds };
}

function soundsOf(word: string, known: Map<string, number>): number {
  let count = known.get(word);
  if (count === undefined) {
    count = word.split(/['’-]/).reduce((total, part) => total + syllables(part), 0);
    known.set(word, count);
  }
  return count;
}
