/**
 * Addresses of the site that look like files by their ending, which the answer may contradict: `/blog/intro-to-node.js`.
 * Pure, but stateful.
 */
import { ascending } from '../../../model/order.ts';
import { dedupeKey } from '../url.ts';
import type { FrontierEntry } from './frontier.ts';

export type FileAddresses = {
  readonly add: (lead: string, entry: FrontierEntry) => void;
  /** Counts another page that links to it; nothing for other addresses. */
  readonly linked: (lead: string) => void;
  /** Those that most pages link to, and that were not taken yet; ties by address. */
  readonly take: (most: number) => readonly FrontierEntry[];
  /** One of them turned out to be a page. */
  readonly drop: (entry: FrontierEntry) => void;
  /** Number of addresses, without those that are known as pages. */
  readonly count: (isPage: (url: string) => boolean) => number;
};

/** Many more than are ever asked; a site may name any number. */
const MAX_KNOWN = 2000;

type Candidate = { readonly entry: FrontierEntry; links: number; isTaken: boolean };

export function createFileAddresses(): FileAddresses {
  const byLead = new Map<string, Candidate>();
  const pages = new Set<string>();
  let beyond = 0;
  const linked = (lead: string): void => {
    const present = byLead.get(lead);
    if (present) present.links++;
  };
  return {
    add: (lead, entry) => {
      if (byLead.has(lead)) linked(lead);
      else if (byLead.size < MAX_KNOWN)
        byLead.set(lead, { entry, links: entry.from === 'sitemap' ? 0 : 1, isTaken: false });
      else beyond++;
    },
    linked,
    drop: ({ url }) => void pages.add(dedupeKey(url)),
    count: (isPage) => {
      const left = [...byLead.values()].filter(({ entry }) => !isPage(entry.url));
      const keys = new Set(left.map(({ entry }) => dedupeKey(entry.url)));
      return [...keys].filter((key) => !pages.has(key)).length + beyond;
    },
    take: (most) => {
      const left = [...byLead.values()].filter(({ isTaken }) => !isTaken);
      const taken = left
        .sort((a, b) => b.links - a.links || ascending(a.entry.url, b.entry.url))
        .slice(0, Math.max(0, most));
      for (const candidate of taken) candidate.isTaken = true;
      return taken.map(({ entry }) => entry);
    },
  };
}
