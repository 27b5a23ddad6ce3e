/** Text hidden by a style attribute that is not a part of the page meant to open later. */

import { excerpt } from '../../excerpt.ts';
import { styleOf } from '../imageFacts.ts';
import type { PageFacts } from '../pageFacts.ts';
import { type Leave, openSink, type PageScope } from '../pageScope.ts';
import { type Element, fold } from '../parse/element.ts';
import { isStopWord } from './language.ts';
import { countWords, wordsOf } from './words.ts';

/** Screen-reader labels and honeypot fields are shorter than this. */
const MIN_WORDS = 15;
const TEXT_LIMIT = 2000;
/** In fewer places than this, a word is not repeated for its own sake. */
const MIN_REPEATS = 4;
const SHOWN = 160;

export type UnseenCollector = { found: PageFacts['unseen'] };

/**
 * Keeps the first long enough hidden text; text that may be meant for screen readers gives way to other. Call it only
 * for elements with a style attribute.
 */
export function collectUnseen(collector: UnseenCollector, element: Element, scope: PageScope): Leave | undefined {
  if (isFinal(collector) || scope.hiddenDepth > 0 || scope.inHead) return undefined;
  const declared = styleOf(element);
  const invisible = invisibleStyle(declared);
  const style = invisible ?? offScreenStyle(declared);
  if (style === null) return undefined;
  const close = openSink(scope);
  return () => {
    const text = fold(close().shown.join(''), TEXT_LIMIT);
    const words = countWords(text);
    const isMild = invisible === null && !isStuffed(wordsOf(text, TEXT_LIMIT));
    if (words < MIN_WORDS || isFinal(collector) || (isMild && collector.found !== null)) return;
    const found = { selector: scope.selectorOf(element), style, words, text: excerpt(text, SHOWN) };
    collector.found = isMild ? { ...found, forReaders: true } : found;
  };
}

function isFinal({ found }: UnseenCollector): boolean {
  return found !== null && found.forReaders !== true;
}

/** One word fills a tenth of the text. */
function isStuffed(words: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const word of words) if (word.length >= 3 && !isStopWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Math.max(0, ...counts.values()) >= Math.max(MIN_REPEATS, words.length / 10);
}

/** The declaration that moves the text off-screen. */
function offScreenStyle(style: ReadonlyMap<string, string>): string | null {
  for (const property of ['left', 'top', 'text-indent', 'margin-left']) {
    const value = style.get(property);
    if (value !== undefined && /^-\d{4,6}(?:\.\d{1,6})?(?:px|pt)?$/.test(value)) return `${property}: ${value}`;
  }
  return null;
}

/**
 * The declaration that makes the text invisible: zero size, or the same color as its background. Text clipped to
 * nothing is meant for screen readers.
 */
function invisibleStyle(style: ReadonlyMap<string, string>): string | null {
  if (style.has('clip') || style.has('clip-path')) return null;
  const size = style.get('font-size');
  if (size !== undefined && /^(?:0|[01](?:\.\d{1,3})?px)$/.test(size)) return `font-size: ${size}`;
  const color = style.get('color');
  const background = style.get('background-color') ?? style.get('background');
  return color !== undefined &&
    color === background &&
    /^[#a-z]/.test(color) &&
    !/^(?:inherit|initial|unset|currentcolor)/.test(color)
    ? `color: ${color}`
    : null;
}
