/** Code that names languages. */
import type { Snippet } from '../../../../model/findings.ts';
import type { HtmlPage } from '../../check.ts';
import { html } from '../siteCode.ts';
import { inHead, inPlaceOf } from '../snippets.ts';

/** The language that the text is in; null if that is unclear. */
export function languageSet({ facts: { language } }: HtmlPage): Snippet | null {
  return language === null ? null : inPlaceOf('html', `<html lang="${language.code}">`);
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
  kr: 'ko',
  por: 'pt',
  se: 'sv',
  spa: 'es',
};

/** The same link with the code that was meant; null if that is not certain, or the link is not in the head. */
export function alternateCorrected(written: string, href: string, place: string): Snippet | null {
  const [language = '', ...rest] = written.split('-');
  const regions = rest.map((part) => (part.toUpperCase() === 'UK' ? 'GB' : part));
  const meant = [MISTAKEN[language.toLowerCase()] ?? language, ...regions].join('-');
  if (meant === written || !place.startsWith('head ')) return null;
  return inHead(place, alternateLink(meant, href));
}
