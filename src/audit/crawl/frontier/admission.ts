/**
 * Decides which of the addresses a site names are worth fetching: its own pages, once each, and nothing endless. Pure,
 * but stateful.
 */
import type { CrawlSettings } from '../../../model/crawlSettings.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import type { Pausable } from '../../timeSlices.ts';
import { canonicalOf, leadsOf } from '../pageLeads.ts';
import type { Discovery, FetchOutcome } from '../site.ts';
import { crawlUrl, dedupeKey, looksLikePage, siteHost } from '../url.ts';
import { createCopies } from './copies.ts';
import { createFileAddresses, type FileAddresses } from './fileAddresses.ts';
import { chainOf, type Frontier, type FrontierEntry, type FrontierItem } from './frontier.ts';
import { createLeftOut, type LeftOut } from './leftOut.ts';
import { createPart } from './sitePart.ts';
import { createTraps } from './traps.ts';

export type Admission = {
  readonly isOfSite: (url: string) => boolean;
  /** Of the site, and of the part of it that may be read. */
  readonly isOfPart: (url: string) => boolean;
  readonly addSitemaps: () => Pausable<void>;
  /** Processes a page's links and its canonical address. */
  readonly follow: (parent: FrontierItem, facts: PageFacts, outcome: FetchOutcome) => Pausable<void>;
  /** True for an address now known to be a copy of another one; the original is queued instead. */
  readonly isCopy: (item: FrontierItem) => boolean;
  /** Addresses found so far that look like files, each given once. */
  readonly files: FileAddresses['take'];
  /** Queues one of them whose answer is a page. */
  readonly addFile: (entry: FrontierEntry) => void;
  readonly traps: LeftOut['found'];
  readonly copies: LeftOut['found'];
  /** Addresses that never were in the queue, and what became of them and of copies that were. */
  readonly apart: () => Apart;
};

export type Apart = {
  readonly discovered: number;
  readonly endless: number;
  readonly copies: number;
  readonly files: number;
};

type Setting = {
  readonly discovery: Discovery;
  readonly frontier: Frontier;
  readonly agentToken: string;
  readonly year: number;
  readonly settings?: CrawlSettings | undefined;
};

/** Size of the cache of seen links; when full, it is cleared and only the frontier detects duplicates. */
const MAX_SEEN = 200_000;
/** Left-out addresses that are remembered; longer ones are not. */
const MAX_SKIPPED = 10_000;
const LONG = 300;
/** Length of a sitemap address: the protocol's limit. */
const MAX_LISTED = 2048;

export function createAdmission({ discovery, frontier, agentToken, year, settings }: Setting): Admission {
  const hosts = new Set([siteHost(discovery.origin), siteHost(discovery.startUrl)]);
  const traps = createTraps(year);
  const copies = createCopies();
  const copied = createLeftOut();
  const files = createFileAddresses();
  const listed = (url: string): FrontierEntry => ({ url, from: 'sitemap', depth: Number.POSITIVE_INFINITY });
  let copiesTaken = 0;
  /** Addresses that were left out, so that none is counted twice. */
  const skipped = new Set<string>();
  /** Seen links with their frontier items; null for those that lead to no page of the site. */
  const seen = new Map<string, FrontierItem | null>();

  const isInPart = createPart(settings);
  const isOfSite = (url: string): boolean => hosts.has(siteHost(url));
  const isOfPart = (url: string): boolean => isOfSite(url) && isInPart(url);
  /** The URL to fetch for a page of the part; null for everything else. */
  const pageAt = (named: string, entryOf: (url: string) => FrontierEntry): string | null => {
    const url = crawlUrl(named);
    if (!url || !isOfPart(url)) return null;
    if (looksLikePage(url)) return url;
    if (url.length <= MAX_LISTED) files.add(named, entryOf(url));
    return null;
  };
  const withoutIdle = (url: string): string => {
    const plain = copies.plain(url);
    if (plain === url || !isInPart(plain)) return url;
    copied.add(frontier.patternOf(url));
    return plain;
  };
  const isSkipped = (url: string): boolean => skipped.has(dedupeKey(url));
  const skip = (url: string): void => {
    if (skipped.size < MAX_SKIPPED && url.length <= LONG) skipped.add(dedupeKey(url));
  };
  /** The item that a link leads to; null if there is nothing to fetch. */
  const admit = (lead: string, parent: FrontierItem): FrontierItem | null => {
    if (settings?.sitemapOnly) return null;
    const found = pageAt(lead, (url) => ({ url, from: 'link', depth: parent.depth + 1, parent }));
    if (!found) return null;
    copies.see(found);
    const linked = (url: string) => frontier.add({ url, from: 'link', depth: parent.depth + 1, parent });
    if (frontier.has(found)) return linked(found);
    if (isSkipped(found)) return null;
    const url = withoutIdle(found);
    if (url !== found) skip(found);
    if (frontier.has(url)) return linked(url);
    if (isSkipped(url)) return null;
    const chain = chainOf(frontier.patternOf(url), parent);
    if (!traps.catches({ url, chain })) return linked(url);
    skip(url);
    return null;
  };

  return {
    isOfSite,
    isOfPart,
    addSitemaps: function* () {
      for (const sitemap of discovery.sitemaps) {
        if (sitemap.kind === 'index') continue;
        for (const { loc, alternates = [] } of sitemap.urls) {
          for (const named of [loc, ...alternates.map(({ href }) => href)]) {
            const url = pageAt(named, listed);
            if (url && url.length <= MAX_LISTED) frontier.add(listed(url));
            yield;
          }
        }
      }
    },
    follow: function* (parent, facts, outcome) {
      const canonical = canonicalOf(facts, outcome);
      if (canonical !== null) copies.learn(facts.url, canonical);
      for (const lead of leadsOf(facts, outcome, agentToken)) {
        const known = seen.get(lead);
        if (known && known.depth > parent.depth + 1)
          frontier.add({ url: known.url, from: 'link', depth: parent.depth + 1, parent });
        else if (known === null) files.linked(lead);
        if (known !== undefined) continue;
        if (seen.size >= MAX_SEEN) seen.clear();
        seen.set(lead, admit(lead, parent));
        yield;
      }
    },
    isCopy: (item) => {
      if (item.from === 'start') return false;
      const plain = withoutIdle(item.url);
      if (dedupeKey(plain) === dedupeKey(item.url)) return false;
      copiesTaken++;
      frontier.add({ url: plain, from: item.from, depth: item.depth });
      return true;
    },
    addFile: (entry) => {
      files.drop(entry);
      const chain = entry.parent ? chainOf(frontier.patternOf(entry.url), entry.parent) : 0;
      if (!traps.catches({ url: entry.url, chain })) frontier.add(entry);
    },
    files: files.take,
    traps: () => traps.found(),
    copies: copied.found,
    apart: () => {
      const [endless, all, named] = [traps.total(), copied.total(), files.count(frontier.has)];
      return { discovered: endless + all - copiesTaken + named, endless, copies: all, files: named };
    },
  };
}
