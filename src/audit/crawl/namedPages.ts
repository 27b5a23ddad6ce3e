/** A crawl of given pages only: where it starts instead of the start page, and how far it goes. Pure. */
import type { PageFacts } from '../facts/pageFacts.ts';
import type { Frontier, FrontierEntry, FrontierItem } from './frontier/frontier.ts';
import type { CrawledPage, Discovery, FetchOutcome, FileCheck, LinkCheck } from './site.ts';
import { crawlUrl, dedupeKey } from './url.ts';

/** Restricts the crawl to these pages. */
export type NamedPages = {
  readonly urls: readonly string[];
  /** Further pages to fetch that those name, one step and no further; default: none. */
  readonly leads?: (facts: PageFacts, outcome: FetchOutcome) => readonly string[];
  /** Whether to fetch URLs of this kind that the page links to, loads or names, or the page itself as others do. */
  readonly fetches: (page: CrawledPage, kind: LinkCheck['kind'] | FileCheck['kind'] | 'other-agents') => boolean;
};

const LEAD_DEPTH = 2;

/** The start page or the named pages; addresses outside the site are dropped. */
export function entriesOf(
  { startUrl }: Discovery,
  named: NamedPages | undefined,
  isOfSite: (url: string) => boolean,
): FrontierEntry[] {
  const start: FrontierEntry = { url: startUrl, from: 'start', depth: 0 };
  if (named === undefined) return [start];
  const urls = named.urls.map((url) => crawlUrl(url)).filter((url): url is string => url !== null && isOfSite(url));
  return urls.map((url) => (dedupeKey(url) === dedupeKey(startUrl) ? start : { url, from: 'link', depth: 1 }));
}

/** Adds the pages a named page leads to, but not what those lead to. */
export function followNamed(
  named: NamedPages,
  item: FrontierItem,
  facts: PageFacts,
  outcome: FetchOutcome,
  to: Pick<Frontier, 'add'>,
  isOfSite: (url: string) => boolean,
): void {
  if (item.depth >= LEAD_DEPTH) return;
  for (const lead of named.leads?.(facts, outcome) ?? []) {
    const url = crawlUrl(lead);
    if (url !== null && isOfSite(url)) to.add({ url, from: 'link', depth: LEAD_DEPTH });
  }
}
