/** Text hidden by a style attribute that is not a part of the page meant to open later. */

import { excerpt } from '../../excerpt.ts';
import { styleOf } from '../imageFacts.ts';
import type { PageFacts } from '../pageFacts.ts';
import { type Leave, openSink, type PageScope } from '../pageScope.ts';
import { type Element, fold } from '../parse/element.ts';
import { countWords } from './words.ts';

/** Screen-reader labels and honeypot fields are shorter than this. */
const MIN_WORDS = 15;
const TEXT_LIMIT = 2000;
const SHOWN = 160;

export type UnseenCollector = { found: PageFacts['unseen'] };

/** Keeps the first long enough hidden text. Call it only for elements with a style attribute. */
export function collectUnseen(collector: UnseenCollector, element: Element, scope: PageScope): Leave | undefined {
  if (collector.found !== null || scope.hiddenDepth > 0 || scope.inHead) return undefined;
  const style = unseenStyle(styleOf(element));
  if (style === null) return undefined;
  const close = openSink(scope);
  return () => {
    const text = fold(close().shown.join(''), TEXT_LIMIT);
    const words = countWords(text);
    if (words >= MIN_WORDS && collector.found === null) collector.found = { selector: scope.selectorOf(element), style, words, text: excerpt(text, SHOWN) };
  };
}

/** The declaration that hides the text: moved off-screen, zero size, or the same color as its background. */
function unseenStyle(style: ReadonlyMap<string, string>): string | null {
  for (const property of ['left', 'top', 'text-indent', 'margin-left']) {
    const value = style.get(property);
    if (value !== undefined && /^-\d{4,6}(?:\.\d{1,6})?(?:px|pt)?$/.test(value)) return `${property}: ${value}`;
  }
  const size = style.get('font-size');
  if (size !== undefined && /^(?:0|[01](?:\.\d{1,3})?px)$/.test(size)) return `font-size: ${size}`;
  const color = style.get('color');
  const background = style.get('background-color') ?? style.get('background');
  return color !== undefined && color === background && /^[#a-z]/.test(color) && !/^(?:inherit|initial|unset|currentcolor)/.test(color)
    ? `color: ${color}`
    : null;
}
