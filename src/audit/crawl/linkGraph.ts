/** Click depth from the start page, computed over the links found. Pure. */
import { ascending } from '../../model/order.ts';
import type { Pausable } from '../timeSlices.ts';
import type { CrawledPage } from './site.ts';
import { dedupeKey } from './url.ts';

/** Sets each page's depth and sorts by depth, start page first. The order does not depend on the order of answers. */
export function* withDepths(pages: readonly CrawledPage[]): Pausable<readonly CrawledPage[]> {
  const depths = yield* depthsOf(pages, yield* pagesByUrl(pages));
  const placed = pages.map((page) => {
    const depth = depths.get(page) ?? null;
    return { ...page, depth, from: page.from === 'sitemap' && depth !== null ? ('link' as const) : page.from };
  });
  return inOrder(placed);
}

/** Start page first, then by depth. */
export function inOrder(pages: readonly CrawledPage[]): readonly CrawledPage[] {
  return [...pages].sort((a, b) => rank(a) - rank(b) || ascending(a.url, b.url));
}

function rank(page: CrawledPage): number {
  return page.from === 'start' ? -1 : (page.depth ?? Number.MAX_SAFE_INTEGER);
}

type PagesAt = (url: string) => readonly CrawledPage[];

/** Caches keys, because pages link to the same few addresses repeatedly. */
function* pagesByUrl(pages: readonly CrawledPage[]): Pausable<PagesAt> {
  const byKey = new Map<string, CrawledPage[]>();
  for (const page of pages) {
    yield;
    const key = dedupeKey(page.url);
    const present = byKey.get(key);
    if (present) present.push(page);
    else byKey.set(key, [page]);
  }
  const byUrl = new Map<string, readonly CrawledPage[]>();
  return (url) => {
    const found = byUrl.get(url) ?? byKey.get(dedupeKey(url)) ?? [];
    byUrl.set(url, found);
    return found;
  };
}

function* depthsOf(pages: readonly CrawledPage[], pagesAt: PagesAt): Pausable<ReadonlyMap<CrawledPage, number>> {
  const depths = new Map<CrawledPage, number>();
  let level = pages.filter((page) => page.from === 'start');
  for (let depth = 0; level.length > 0; depth++) {
    for (const page of level) depths.set(page, depth);
    // A redirect costs no click: its target joins the current level.
    for (const page of level) {
      const targets = page.outcome.hops.length > 0 ? pagesAt(page.outcome.url) : [];
      for (const target of targets)
        if (!depths.has(target)) {
          depths.set(target, depth);
          level.push(target);
        }
    }
    const linked = new Set<CrawledPage>();
    for (const page of level) {
      for (const { url } of page.facts?.links ?? []) {
        for (const target of url === null ? [] : pagesAt(url)) linked.add(target);
        yield;
      }
    }
    level = [...linked].filter((page) => !depths.has(page));
  }
  return depths;
}
