/** The language versions a page names in its head and its Link header, and whether their codes exist. */
import { headerLinks } from '../../../crawl/linkHeader.ts';
import type { CrawledPage } from '../../../crawl/site.ts';
import { keepingRecent } from '../../../recent.ts';
import { isLanguageSubtag } from './languageCodes.ts';

export type Hreflang = {
  readonly hreflang: string;
  readonly href: string;
  readonly url: string | null;
  readonly place: string;
};

export const hreflangsOf: (page: CrawledPage) => readonly Hreflang[] = keepingRecent(readHreflangs);

function readHreflangs(page: CrawledPage): readonly Hreflang[] {
  const inHead = (page.facts?.alternates ?? []).map((alternate) => ({
    ...alternate,
    place: `head > link[hreflang="${alternate.hreflang}"]`,
  }));
  const inHeader = headerLinks(page.outcome).flatMap(({ href, url, rel, hreflang }) =>
    rel === 'alternate' && hreflang !== null ? [{ hreflang, href, url, place: 'header link' }] : [],
  );
  return [...inHead, ...inHeader];
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether the primary subtag is a language. */
export function isLanguage(subtag: string): boolean {
  return isLanguageSubtag(subtag.toLowerCase());
}

const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** An ISO 3166-1 code. `UK` is only an alias and does not count. */
export function isCountry(code: string): boolean {
  const region = code.toUpperCase();
  if (NO_COUNTRIES.has(region) || regions.of(region) === undefined) return false;
  return Intl.getCanonicalLocales(`und-${region}`)[0] === `und-${region}`;
}
