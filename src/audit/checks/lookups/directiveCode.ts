/** Code that takes directives for search engines out of a page or its answer. */
import type { Snippet } from '../../../model/findings.ts';
import type { HtmlPage } from '../check.ts';
import { type BlockingPlace, headerPlaces, metaPlaces } from './directives.ts';
import { directiveWords } from './directiveWords.ts';
import { metaTag } from './siteCode.ts';
import { inPlaceOf } from './snippets.ts';

/**
 * Takes directives out of the place that was seen, if that is a meta tag, or a header with nothing else. Null where it
 * has to be done by hand: a date may contain commas, and a header may speak to several bots.
 */
export function withoutDirectives(
  { evidence: { place, value } }: BlockingPlace,
  isUnwanted: (directive: string) => boolean,
): Snippet | null {
  if (/unavailable_after/i.test(value)) return null;
  const words = place === 'header x-robots-tag' ? value.replace(/^[\w-]{1,60}:\s/, '') : value;
  const kept = directiveWords(words).filter((directive) => !isUnwanted(directive));
  if (place === 'header x-robots-tag')
    return kept.length > 0
      ? null
      : { edits: 'header', operation: 'remove', at: 'x-robots-tag', text: `X-Robots-Tag: ${value}` };
  const name = /\[name="?([\w-]{1,40})"?\]/.exec(place)?.[1];
  if (name === undefined) return null;
  const text = metaTag('name', name, kept.length === 0 ? 'index, follow' : kept.join(', '));
  return inPlaceOf(place.startsWith('head ') ? `head meta[name="${name}" i]` : place, text);
}

/** `noindex, nofollow` is written as one. */
export const hidesPage = (directive: string): boolean => /^(?:noindex|none|nofollow)$/.test(directive);

/** All that is said to search engines stands in one place: of several, one change does not lift the rest. */
export const isOnePlace = (page: HtmlPage): boolean => metaPlaces(page).length + headerPlaces(page).length === 1;

/** An unfinished page is perhaps hidden on purpose. */
export const isFinished = ({ facts }: HtmlPage): boolean =>
  facts.titles.some(({ inHead, text }) => inHead && text !== '') &&
  facts.canonicals.length > 0 &&
  facts.metas.some(({ name }) => name === 'viewport');
