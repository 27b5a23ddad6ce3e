/** What links are called. */

import type { Crawl } from '../../crawl/site.ts';
import type { LinkFact } from '../../facts/pageFacts.ts';
import { htmlPage } from '../applies.ts';
import { EMPTY_LINK_TEXTS } from '../phrases.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { linkPlace } from './places.ts';
import { ownSubject, siteName } from './siteFacts.ts';
import { siteIndex } from './siteIndex.ts';

/** A text such as "here". `lang`: '' for any language. */
export function saysNothing(text: string, lang: string): boolean {
  const term = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[\s.…!:>›»→]{1,20}$/, '');
  if (lang !== '') return EMPTY_LINK_TEXTS[lang.split('-')[0] ?? '']?.has(term) ?? false;
  return Object.values(EMPTY_LINK_TEXTS).some((texts) => texts.has(term));
}

/** The page that it leads to, in that page's own words; null if it has none that would do as the text of a link. */
export function nameOfTarget(url: string | null, site: Crawl): string | null {
  const target = url === null ? null : (siteIndex(site).answerOf(url)?.page ?? null);
  if (target === null || !htmlPage(target)) return null;
  // The heading of a start page is often a slogan.
  const name = target.from === 'start' ? siteName(site) : ownSubject(target, site);
  return name === null || name.length > THRESHOLDS.titleMax || saysNothing(name, '') ? null : name;
}

/** Equal for links that the code for one of them would change, too. */
export const sharedPlace = (link: LinkFact): string => link.url ?? linkPlace(link);
