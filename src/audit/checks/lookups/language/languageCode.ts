/** Code that names languages. */

import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import { keepingRecent } from '../../../recent.ts';
import type { HtmlPage } from '../../check.ts';
import { html } from '../siteCode.ts';
import { siteLanguage } from '../siteFacts.ts';
import { inPlaceOf } from '../snippets.ts';
import { type Hreflang, hreflangsOf, isLanguage } from './hreflangs.ts';

/** The language that the text is in, or else all other texts of the site; null if that is unclear. */
export function languageSet({ facts }: HtmlPage, site: Crawl): Snippet | null {
  const code = facts.language?.code ?? siteLanguage(site);
  return code === null ? null : inPlaceOf('html', `<html lang="${code}">`);
}

export const alternateLink = (hreflang: string, url: string): string =>
  `<link rel="alternate" hreflang="${html(hreflang)}" href="${html(url)}">`;

/** In the place of the one that has it; null if that is a header, or if several share the code. */
export const alternateSet = (page: HtmlPage, place: string, link: string): Snippet | null =>
  place.startsWith('head ') && placesOf(page).get(place) === 1 ? inPlaceOf(place, link) : null;

/** How many alternates each place names. */
const placesOf = keepingRecent((page: HtmlPage) => {
  const places = new Map<string, number>();
  for (const { place } of hreflangsOf(page)) places.set(place, (places.get(place) ?? 0) + 1);
  return places;
});

/** Codes of countries, or of an older standard, that are often written for a language. */
const MISTAKEN: Readonly<Record<string, string>> = {
  cn: 'zh',
  cz: 'cs',
  deu: 'de',
  dk: 'da',
  eng: 'en',
  esp: 'es',
  fra: 'fr',
  ger: 'de',
  gr: 'el',
  ita: 'it',
  jp: 'ja',
  por: 'pt',
  spa: 'es',
};

/** The same link with the code that was meant; null if that is not certain, or the link is not in the head. */
export function alternateCorrected(page: HtmlPage, { hreflang: written, href, place }: Hreflang): Snippet | null {
  const [language = '', ...rest] = written.split('-');
  const regions = rest.map((part) => (part.toUpperCase() === 'UK' ? 'GB' : part));
  const code = isLanguage(language) ? language : (MISTAKEN[language.toLowerCase()] ?? language);
  const meant = [code, ...regions].join('-');
  // Ukrainian in the United Kingdom is hardly meant.
  if (meant === written || !isLanguage(code) || /^uk-uk$/i.test(written)) return null;
  return alternateSet(page, place, alternateLink(meant, href));
}
