/** A crawl of named pages: where it begins instead of at the start page alone, and how far it goes from there. Pure. */
import type { PageFacts } from '../facts/pageFacts.ts';
import type { Frontier, FrontierEntry, FrontierItem } from './frontier/frontier.ts';
import type { CrawledPage, Discovery, FetchOutcome, FileCheck, LinkCheck } from './site.ts';
import { crawlUrl, dedupeKey } from './url.ts';

/** Instead of all that a site leads to. */
export type NamedPages = {
  readonly urls: readonly string[];
  /** Pages that those name and that are asked for too, one step and no further; default none. */
  readonly leads?: (facts: PageFacts, outcome: FetchOutcome) => readonly string[];
  /** Whether what this page links to, loads or names of that kind is looked at. */
  readonly fetches: (page: CrawledPage, kind: LinkCheck['kind'] | FileCheck['kind']) => boolean;
};

const LEAD_DEPTH = 2;

/** The start page, or the named ones; addresses outside the site are left out. */
export function entriesOf({ startUrl }: Discovery, named: NamedPages | undefined, isOfSite: (url: string) => boolean): FrontierEntry[] {
  const start: FrontierEntry = { url: startUrl, from: 'start', depth: 0 };
  if (named === undefined) return [start];
  const urls = named.urls.map((url) => crawlUrl(url)).filter((url): url is string => url !== null && isOfSite(url));
  return urls.map((url) => (dedupeKey(url) === dedupeKey(startUrl) ? start : { url, from: 'link', depth: 1 }));
}

/** Adds what a named page leads to; what that leads to in turn stays unasked. */
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
