/** The visible text of a page, with the main content separated from the boilerplate around it. */

import { createHash } from 'node:crypto';
import { excerpt } from '../../excerpt.ts';
import { claimsOf } from '../claims.ts';
import type { PageFacts } from '../pageFacts.ts';
import type { PageScope } from '../pageScope.ts';
import { fold } from '../parse/element.ts';
import { VISIBLE_BLANK } from './blanks.ts';
import { contactIn } from './contact.ts';
import { figuresIn } from './figures.ts';
import { languageOf } from './language.ts';
import { readingCounts } from './readability.ts';
import { repeatedPhrase } from './repetition.ts';
import { simHash } from './simHash.ts';
import { visitingSigns } from './visiting.ts';
import { countWords, wordsOf } from './words.ts';

const TEXT_LIMIT = 20_000;
/** Characters sampled to detect language, repeated phrases and figures. */
const SAMPLE = 8000;
const MAX_WORDS = 4000;
const MAX_PARAGRAPHS = 80;
const PARAGRAPH_LIMIT = 1200;
const LEAD_MIN = 60;
const LEAD_LIMIT = 200;
/** Characters kept from the start and the end of a long text. */
const OPENING = 1500;
const CLOSING = 800;
const FILLER = /\b[Ll]orem [Ii]psum [Dd]olor\b|\[[Ii]nsert (?:your|name|text|company|here)[^\]]{0,60}\]/;
const PRICE = /[$€£¥₹]\s?\d|\d\s?(?:[€£₹¥]|EUR|USD|GBP|CHF|kr\b|zł)/;

type Counted = { parts: number; words: number };

export type TextCollector = {
  /** Text inside <main>, outside it, and in navigation, headers, footers and asides. */
  readonly main: string[];
  readonly rest: string[];
  readonly boilerplate: string[];
  /** The part of the content inside <pre> and <code>. */
  readonly code: string[];
  readonly paragraphs: { readonly text: string; readonly inMain: boolean }[];
  /** How far `main` and `rest` were counted. */
  readonly counted: { readonly main: Counted; readonly rest: Counted };
  price: boolean;
};

export function createTextCollector(): TextCollector {
  const counted = { main: { parts: 0, words: 0 }, rest: { parts: 0, words: 0 } };
  return { main: [], rest: [], boilerplate: [], code: [], paragraphs: [], counted, price: false };
}

export function collectText(collector: TextCollector, text: string, scope: PageScope): void {
  if (scope.boilerplate) collector.boilerplate.push(text);
  else {
    (scope.mainDepth > 0 ? collector.main : collector.rest).push(text);
    if (scope.codeDepth > 0) collector.code.push(text, ' ');
    if (!collector.price && text.length < 60 && PRICE.test(text)) collector.price = true;
  }
}

/** Words of the content up to here; counts what is new since the last call. */
export function wordsSoFar(collector: TextCollector, scope: PageScope): number {
  const part = scope.mainDepth > 0 ? 'main' : 'rest';
  const counted = collector.counted[part];
  counted.words += countWords(collector[part].slice(counted.parts).join(''));
  counted.parts = collector[part].length;
  return counted.words;
}

/** Separates the words of adjacent blocks. */
export function collectBreak(collector: TextCollector, scope: PageScope): void {
  const list = scope.boilerplate ? collector.boilerplate : scope.mainDepth > 0 ? collector.main : collector.rest;
  if (list.length > 0 && list[list.length - 1] !== ' ') list.push(' ');
}

export function collectParagraph(collector: TextCollector, text: string, scope: PageScope): void {
  if (scope.boilerplate || collector.paragraphs.length >= 4 * MAX_PARAGRAPHS) return;
  const folded = fold(text, PARAGRAPH_LIMIT);
  if (folded !== '') collector.paragraphs.push({ text: folded, inMain: scope.mainDepth > 0 });
}

export type TextFacts = Pick<
  PageFacts,
  | 'text'
  | 'filler'
  | 'wordCount'
  | 'codeWords'
  | 'textHash'
  | 'simHash'
  | 'passageWords'
  | 'lead'
  | 'bodyWordCount'
  | 'language'
  | 'repeated'
  | 'figures'
  | 'reading'
  | 'visiting'
  | 'contact'
  | 'claims'
>;

/** `lang` is the page's language. `data` decides whether the text is kept in full and which claims to look for. */
export function textFacts(collector: TextCollector, lang: string, data: PageFacts['structuredData']): TextFacts {
  const main = fold(collector.main.join(''));
  const rest = fold(collector.rest.join(''));
  const boilerplate = fold(collector.boilerplate.join(''));
  const text = main === '' ? rest : main;
  const start = text.slice(0, TEXT_LIMIT);
  const wordCount = countWords(text);
  const code = collector.code.join('');
  const others = main === '' ? 0 : countWords(rest);
  const shown = (): string => `${main} ${rest} ${boilerplate}`;
  const whole = data.some(({ types }) => types.includes('FAQPage'));
  const sample = start.slice(0, SAMPLE);
  const words = wordsOf(sample, MAX_WORDS);
  const language = languageOf(words);
  const paragraphs = collector.paragraphs
    .filter((paragraph) => main === '' || paragraph.inMain)
    .slice(0, MAX_PARAGRAPHS);
  return {
    text: whole || start.length <= OPENING + CLOSING ? start : `${start.slice(0, OPENING)} … ${start.slice(-CLOSING)}`,
    filler: fillerIn(start),
    wordCount,
    ...(collector.code.length > 0 ? { codeWords: countWords(code) } : {}),
    textHash: text === '' ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16),
    simHash: simHash(text.slice(0, 3 * TEXT_LIMIT)),
    passageWords: paragraphs.map((paragraph) => countWords(paragraph.text)),
    lead: paragraphs.find((paragraph) => paragraph.text.length >= LEAD_MIN)?.text.slice(0, LEAD_LIMIT) ?? '',
    bodyWordCount: wordCount + others + countWords(boilerplate),
    language,
    repeated: repeatedPhrase(words, { sample, code: wordsOf(code.slice(0, SAMPLE), MAX_WORDS) }),
    figures: words.length === 0 ? 0 : Math.round((10 * figuresIn(sample) * 500) / words.length) / 10,
    reading:
      (language?.code ?? lang.slice(0, 2)) === 'en'
        ? readingCounts(paragraphs.map((paragraph) => paragraph.text))
        : null,
    visiting: visitingSigns(text, boilerplate),
    ...contactFact(boilerplate, main, rest),
    claims: claimsOf(data, shown),
  };
}

/** Most stand in the frame. */
function contactFact(...texts: readonly string[]): Pick<PageFacts, 'contact'> {
  for (const text of texts) {
    const contact = contactIn(text);
    if (contact !== null) return { contact };
  }
  return {};
}

function fillerIn(text: string): PageFacts['filler'] {
  const match = FILLER.exec(text) ?? VISIBLE_BLANK.exec(text);
  return match === null ? null : { found: match[0], around: excerpt(text.slice(match.index), 120) };
}
