/** The language versions that a page names, in its head and in its Link header, and whether their codes exist. */
import type { CrawledPage } from '../crawl/site.ts';
import { crawlUrl } from '../crawl/url.ts';
import { headerLinks } from './linkHeader.ts';

export type Hreflang = { readonly hreflang: string; readonly href: string; readonly url: string | null; readonly place: string };

export function hreflangsOf(page: CrawledPage): Hreflang[] {
  const inHead = (page.facts?.alternates ?? []).map((alternate) => ({ ...alternate, place: `head > link[hreflang="${alternate.hreflang}"]` }));
  const inHeader = headerLinks(page.outcome).flatMap(({ href, rel, hreflang }) =>
    rel === 'alternate' && hreflang !== null ? [{ hreflang, href, url: crawlUrl(href, page.outcome.url), place: 'header link' }] : [],
  );
  return [...inHead, ...inHeader];
}

/** Three-letter codes of languages that the registry knows by two letters only. */
const TWO_LETTERS_EXIST: ReadonlySet<string> = new Set(
  'eng deu ger fra fre spa ita por nld dut rus jpn zho chi kor ara tur pol swe dan nor fin ces cze ell gre hun ron rum bul ukr heb hin tha vie ind cat slk slo slv hrv srp lit lav est'.split(
    ' ',
  ),
);

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether the primary subtag is a language. Rare three-letter codes are taken for right: nothing here could tell. */
export function isLanguage(subtag: string): boolean {
  const code = subtag.toLowerCase();
  if (/^[a-z]{3}$/.test(code)) return !TWO_LETTERS_EXIST.has(code);
  return /^[a-z]{2}$/.test(code) && names.of(code) !== undefined;
}

const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** ISO 3166-1: `UK` is only an alias and does not count. */
export function isCountry(code: string): boolean {
  const region = code.toUpperCase();
  if (NO_COUNTRIES.has(region) || regions.of(region) === undefined) return false;
  return Intl.getCanonicalLocales(`und-${region}`)[0] === `und-${region}`;
}
