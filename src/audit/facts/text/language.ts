/** Detects a text's language from its script and from common words. Linear; returns null when unsure. */
import type { PageFacts } from '../pageFacts.ts';
import { STOP_WORDS } from './stopWords.ts';

/** Shorter texts are not reliable. */
const MIN_WORDS = 100;
const SAMPLE = 1200;
/** Minimum share of stop words; below it the language is not a known one. */
const MIN_SHARE = 0.15;
/** Minimum share of words in one script for the script to decide the language; the rest may be mixed in. */
const SCRIPT_SHARE = 0.3;

const CODES = Object.keys(STOP_WORDS);
const COMMON = new Map<string, number>();
for (const [index, code] of CODES.entries()) {
  for (const word of (STOP_WORDS[code] ?? '').split(' ')) COMMON.set(word, (COMMON.get(word) ?? 0) | (1 << index));
}

/** Scripts used by one major web language. Arabic and Devanagari serve several languages, so they identify none. */
const SCRIPTS: readonly (readonly [from: number, to: number, language: string])[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0590, 0x05ff, 'he'],
  [0x0600, 0x06ff, ''],
  [0x0900, 0x0dff, ''],
  [0x0e00, 0x0e7f, 'th'],
  [0x3040, 0x30ff, 'ja'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'ko'],
];

const BY_WORDS: ReadonlySet<string> = new Set(CODES);
const BY_SCRIPT: ReadonlySet<string> = new Set(['el', 'he', 'th', 'ja', 'zh', 'ko']);

/** Whether the detector can recognize this language; `code` is the primary subtag, lower case. */
export function isIdentifiable(code: string): boolean {
  return BY_WORDS.has(code) || BY_SCRIPT.has(code);
}

/** A stop word in any of the languages says nothing about a text's topic. */
export function isStopWord(word: string): boolean {
  return COMMON.has(word);
}

/** Expects lower-case words. Null when there are too few or no language is clearly ahead. */
export function languageOf(text: readonly string[]): PageFacts['language'] {
  if (text.length < MIN_WORDS) return null;
  const words = sampleOf(text);
  const byScript = scriptLanguage(words);
  if (byScript !== undefined) return byScript;
  const counts = new Map<number, number>();
  for (const word of words) {
    const mask = COMMON.get(word);
    if (mask !== undefined) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  const totals = CODES.map((_, index) => sum(counts, (mask) => (mask & (1 << index)) !== 0));
  const [first = 0, second = 0] = CODES.map((_, index) => index).sort(
    (a, b) => (totals[b] as number) - (totals[a] as number),
  );
  if ((totals[first] as number) < words.length * MIN_SHARE) return null;
  // Only words unique to one of the two distinguish them.
  const own = sum(counts, (mask) => (mask & (1 << first)) !== 0 && (mask & (1 << second)) === 0);
  const others = sum(counts, (mask) => (mask & (1 << first)) === 0 && (mask & (1 << second)) !== 0);
  return { code: CODES[first] as string, probability: Math.round((1000 * (own + 0.5)) / (own + others + 1)) / 1000 };
}

/** Takes every nth word, so that all parts of a long text count. */
function sampleOf(text: readonly string[]): readonly string[] {
  const step = Math.ceil(text.length / SAMPLE);
  return step === 1 ? text : text.filter((_, index) => index % step === 0);
}

function sum(counts: ReadonlyMap<number, number>, counted: (mask: number) => boolean): number {
  let total = 0;
  for (const [mask, count] of counts) if (counted(mask)) total += count;
  return total;
}

/** Undefined when the script does not decide; null when several languages use it. */
function scriptLanguage(words: readonly string[]): PageFacts['language'] | undefined {
  const counts = new Map<string, number>();
  for (const word of words) {
    const code = word.charCodeAt(0);
    if (code < 0x0370) continue;
    const script = SCRIPTS.find(([from, to]) => code >= from && code <= to);
    if (script !== undefined) counts.set(script[2], (counts.get(script[2]) ?? 0) + 1);
  }
  const kana = counts.get('ja') ?? 0;
  const eastAsian = kana + (counts.get('han') ?? 0);
  if (eastAsian >= words.length * SCRIPT_SHARE)
    return identified(kana > 0.1 * eastAsian ? 'ja' : 'zh', eastAsian, words);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most === undefined || most[1] < words.length * SCRIPT_SHARE) return undefined;
  return most[0] === '' ? null : identified(most[0], most[1], words);
}

function identified(code: string, count: number, words: readonly string[]): PageFacts['language'] {
  return { code, probability: Math.round((1000 * count) / words.length) / 1000 };
}
