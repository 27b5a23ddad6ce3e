/** The language versions that pages name, with their answers. */
import type { Crawl } from '../../../crawl/site.ts';
import { atOnce, type Pausable } from '../../../timeSlices.ts';
import type { HtmlPage } from '../../check.ts';
import { type Answer, addressKey, siteIndex } from '../siteIndex.ts';
import { hreflangsOf } from './hreflangs.ts';

export type Version = { readonly hreflang: string; readonly answer: Answer };

/** Both pages name each other as versions: for other languages, or other regions of one language. */
export function areVersions(a: HtmlPage, b: HtmlPage, site: Crawl): boolean {
  return namesAsVersion(a, b, site) && namesAsVersion(b, a, site);
}

type Names = {
  /** Keys of the addresses of pages. Each is kept once: they may be long, and thousands of pages may name them. */
  readonly keys: ReadonlyMap<string, string>;
  readonly namedBy: WeakMap<HtmlPage, ReadonlySet<string>>;
};

const known = new WeakMap<Crawl, Names>();

function namesIn(site: Crawl): Names {
  let names = known.get(site);
  if (names === undefined) {
    names = atOnce(naming(site));
    known.set(site, names);
  }
  return names;
}

/** Reads the addresses of the pages in slices, before the checks need them. */
export function* preparingVersions(site: Crawl): Pausable<void> {
  if (!known.has(site)) known.set(site, yield* naming(site));
}

function* naming(site: Crawl): Pausable<Names> {
  const keys = new Map<string, string>();
  for (const { outcome } of siteIndex(site).htmlPages) {
    const key = addressKey(outcome.url);
    keys.set(key, key);
    yield;
  }
  return { keys, namedBy: new WeakMap() };
}

/** Thousands of pages may name hundreds each: the pages that one names are gathered once. */
export function namesAsVersion(page: HtmlPage, other: HtmlPage, site: Crawl): boolean {
  const { keys, namedBy } = namesIn(site);
  let named = namedBy.get(page);
  if (named === undefined) {
    named = new Set(hreflangsOf(page).flatMap(({ url }) => (url === null ? [] : (keys.get(addressKey(url)) ?? []))));
    namedBy.set(page, named);
  }
  return named.has(addressKey(other.outcome.url));
}

/** The fetched versions other than the page itself, one after the other; null between them. */
export function* versionsAsked(page: HtmlPage, site: Crawl): Generator<Version | null, void, void> {
  const { answerOf } = siteIndex(site);
  const own = addressKey(page.outcome.url);
  for (const { url, hreflang } of hreflangsOf(page)) {
    const answer = url === null || url === page.outcome.url || addressKey(url) === own ? null : answerOf(url);
    yield answer === null ? null : { hreflang, answer };
  }
}

/** Whether a page of the site names a version that passes. */
export function* someVersion(site: Crawl, test: (version: Version) => boolean): Pausable<boolean> {
  for (const page of siteIndex(site).htmlPages) {
    yield;
    for (const version of versionsAsked(page, site)) {
      if (version !== null && test(version)) return true;
      yield;
    }
  }
  return false;
}
