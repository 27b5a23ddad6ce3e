/** What of all that a site names is worth asking for: pages of the site itself, once each, and nothing that has no end. Pure, but it remembers. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import type { Pausable } from '../../timeSlices.ts';
import { canonicalOf, leadsOf } from '../pageLeads.ts';
import type { Discovery, FetchOutcome } from '../site.ts';
import { crawlUrl, dedupeKey, looksLikePage, siteHost } from '../url.ts';
import { createCopies } from './copies.ts';
import { chainOf, type Frontier, type FrontierItem } from './frontier.ts';
import { createTraps, type Traps } from './traps.ts';

export type Admission = {
  readonly isOfSite: (url: string) => boolean;
  readonly addSitemaps: () => Pausable<void>;
  /** Takes in what a page leads to, and what it says of its own address. */
  readonly follow: (parent: FrontierItem, facts: PageFacts, outcome: FetchOutcome) => Pausable<void>;
  /** True for an address that by now is known to show what another one shows; that one waits in its place. */
  readonly isCopy: (item: FrontierItem) => boolean;
  readonly traps: Traps['found'];
  readonly copies: Traps['found'];
};

type Setting = { readonly discovery: Discovery; readonly frontier: Frontier; readonly agentToken: string; readonly year: number };

/** Links are looked at once; beyond so many the frontier alone knows which it has. */
const MAX_SEEN = 200_000;
/** Of an address in a sitemap: the protocol's limit. */
const MAX_LISTED = 2048;

export function createAdmission({ discovery, frontier, agentToken, year }: Setting): Admission {
  const hosts = new Set([siteHost(discovery.origin), siteHost(discovery.startUrl)]);
  const traps = createTraps(year);
  const copies = createCopies();
  const copied = new Map<string, number>();
  /** The links seen, with what waits at their addresses; null for those that lead to no page of the site. */
  const seen = new Map<string, FrontierItem | null>();

  const isOfSite = (url: string): boolean => hosts.has(siteHost(url));
  /** A page of the site as it is asked for; null for everything else. */
  const pageAt = (named: string): string | null => {
    const url = crawlUrl(named);
    return url && isOfSite(url) && looksLikePage(url) ? url : null;
  };
  const withoutIdle = (url: string): string => {
    const plain = copies.plain(url);
    if (plain !== url) copied.set(frontier.patternOf(url), (copied.get(frontier.patternOf(url)) ?? 0) + 1);
    return plain;
  };
  /** What a link leads to; null when that is nothing to wait for. */
  const admit = (lead: string, parent: FrontierItem): FrontierItem | null => {
    const found = pageAt(lead);
    if (!found) return null;
    copies.see(found);
    const url = withoutIdle(found);
    const chain = chainOf(frontier.patternOf(url), parent);
    return traps.catches({ url, chain }) ? null : frontier.add({ url, from: 'link', depth: parent.depth + 1, parent });
  };

  return {
    isOfSite,
    addSitemaps: function* () {
      for (const sitemap of discovery.sitemaps) {
        if (sitemap.kind === 'index') continue;
        for (const { loc, alternates = [] } of sitemap.urls) {
          for (const named of [loc, ...alternates.map(({ href }) => href)]) {
            const url = pageAt(named);
            if (url && url.length <= MAX_LISTED) frontier.add({ url, from: 'sitemap', depth: Number.POSITIVE_INFINITY });
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
        if (known) frontier.linked(known);
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
      frontier.add({ url: plain, from: item.from, depth: item.depth });
      return true;
    },
    traps: () => traps.found(),
    copies: () => [...copied].map(([pattern, count]) => ({ pattern, count })).sort((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1)),
  };
}
