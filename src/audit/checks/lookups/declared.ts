/** What other pages of the crawl declare a page to be: their AMP, mobile, or print version, or a language version. */
import { headerLinks } from '../../crawl/linkHeader.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { crawlUrl } from '../../crawl/url.ts';
import type { TwinFact } from '../../facts/pageFacts.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import { hreflangsOf } from './language/hreflangs.ts';
import { addressKey, siteIndex } from './siteIndex.ts';

export type DeclaredTwin = { readonly kind: TwinFact['kind']; readonly by: CrawledPage };
/** `hreflang` as written; never `x-default`. */
export type DeclaredVersion = { readonly hreflang: string; readonly by: CrawledPage };

type Declared = {
  readonly twins: ReadonlyMap<string, DeclaredTwin>;
  readonly versions: ReadonlyMap<string, DeclaredVersion>;
};

const built = new WeakMap<Crawl, Declared>();

/** The first declaration by another page, in the order of the crawl; null if there is none. */
export function twinDeclared(page: CrawledPage, site: Crawl): DeclaredTwin | null {
  return declaredIn(site).twins.get(addressKey(page.url)) ?? null;
}

export function versionDeclared(page: CrawledPage, site: Crawl): DeclaredVersion | null {
  return declaredIn(site).versions.get(addressKey(page.url)) ?? null;
}

function declaredIn(site: Crawl): Declared {
  let declared = built.get(site);
  if (declared === undefined) {
    declared = atOnce(reading(site));
    built.set(site, declared);
  }
  return declared;
}

/** Reads them in slices, before the checks need them. */
export function* preparingDeclared(site: Crawl): Pausable<void> {
  if (!built.has(site)) built.set(site, yield* reading(site));
}

function* reading(site: Crawl): Pausable<Declared> {
  // Only crawled pages are asked about, so only they are kept.
  const known = new Set<string>();
  for (const { url } of site.pages) {
    known.add(addressKey(url));
    yield;
  }
  const twins = new Map<string, DeclaredTwin>();
  const versions = new Map<string, DeclaredVersion>();
  for (const page of siteIndex(site).htmlPages) {
    yield;
    const own = addressKey(page.url);
    const keyOf = (url: string | null): string | null => {
      const key = url === null ? null : addressKey(url);
      return key !== null && key !== own && known.has(key) ? key : null;
    };
    for (const { kind, url } of twinsOf(page)) {
      const key = keyOf(url);
      if (key !== null && !twins.has(key)) twins.set(key, { kind, by: page });
    }
    for (const { hreflang, url } of hreflangsOf(page)) {
      const key = keyOf(url);
      if (key !== null && !versions.has(key) && hreflang.trim().toLowerCase() !== 'x-default')
        versions.set(key, { hreflang: hreflang.trim(), by: page });
    }
  }
  return { twins, versions };
}

function twinsOf({ facts, outcome }: CrawledPage): readonly { kind: TwinFact['kind']; url: string | null }[] {
  const inHeader = headerLinks(outcome)
    .filter(({ rel }) => rel === 'amphtml')
    .map(({ href }) => ({ kind: 'amp' as const, url: crawlUrl(href, outcome.url) }));
  return [...(facts?.twins ?? []), ...inHeader];
}
