/** Code that names languages. */

import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import type { HtmlPage } from '../../check.ts';
import { html } from '../siteCode.ts';
import { siteLanguage } from '../siteFacts.ts';
import { inHead, inPlaceOf } from '../snippets.ts';
import { isLanguage } from './hreflangs.ts';

/** The language that the text is in, or else all other texts of the site; null if that is unclear. */
export function languageSet({ facts }: HtmlPage, site: Crawl): Snippet | null {
  const code = facts.language?.code ?? siteLanguage(site);
  return code === null ? null : inPlaceOf('html', `<html lang="${code}">`);
}

export const alternateLink = (hreflang: string, url: string): string =>
  `<link rel="alternate" hreflang="${html(hreflang)}" href="${html(url)}">`;

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
export function alternateCorrected(written: string, href: string, place: string): Snippet | null {
  const [language = '', ...rest] = written.split('-');
  const regions = rest.map((part) => (part.toUpperCase() === 'UK' ? 'GB' : part));
  const code = isLanguage(language) ? language : (MISTAKEN[language.toLowerCase()] ?? language);
  const meant = [code, ...regions].join('-');
  // Ukrainian in the United Kingdom is hardly meant.
  if (meant === written || !isLanguage(code) || /^uk-uk$/i.test(written) || !place.startsWith('head ')) return null;
  return inHead(place, alternateLink(meant, href));
}
