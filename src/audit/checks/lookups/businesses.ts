/** Pages that describe a place people can visit. */
import type { Crawl } from '../../crawl/site.ts';
import type { Fault, HtmlPage } from '../check.ts';
import { describedNodes, faultsOfNode } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { namesType, type PlacedNode, textOf } from '../schemaOrg/schemaNodes.ts';
import { reviewedNodes } from './ratings.ts';
import { siteIndex } from './siteIndex.ts';

export function isMarkedBusiness(page: HtmlPage): boolean {
  return describedBusinesses(page).length > 0;
}

/** Those that the page only reviews are not the site's. */
function describedBusinesses(page: HtmlPage): readonly PlacedNode[] {
  const reviewed = reviewedNodes(page.facts);
  return describedNodes(page, 'LocalBusiness').filter(({ node }) => !reviewed.has(node));
}

export function describesPlace(page: HtmlPage): boolean {
  if (page.facts.visiting !== null || isMarkedBusiness(page)) return true;
  return namesType(page.facts, 'LocalBusiness') && describedNodes(page, 'LocalBusiness').length === 0;
}

/** Pages that show opening hours come first. */
export function placesOf(site: Crawl): HtmlPage[] {
  const pages = siteIndex(site).htmlPages.filter((page) => page.facts.visiting !== null);
  return pages.toSorted((a, b) => Number(b.facts.visiting?.hours !== null) - Number(a.facts.visiting?.hours !== null));
}

/**
 * Most sites repeat a business on many pages, for example as publisher or provider, so only its most complete
 * description counts.
 */
export function faultsOfBusinesses(pages: readonly HtmlPage[]): Fault[] {
  const best = new Map<string, { readonly lacks: number; readonly faults: readonly Fault[] }>();
  for (const page of pages) {
    for (const placed of describedBusinesses(page)) {
      const name = textOf(placed.node, 'name') ?? '';
      const { required, recommended } = lacksOf(placed.node, 'LocalBusiness', page.facts);
      const lacks = 10 * required.length + recommended.length;
      const known = best.get(name);
      if (known === undefined || lacks < known.lacks)
        best.set(name, { lacks, faults: faultsOfNode(page, placed, 'LocalBusiness', 'business') });
    }
  }
  return [...best.values()].flatMap(({ faults }) =>
    faults.map(({ hint, ...fault }) => (hint === true ? { ...fault, impact: 'low' as const } : fault)),
  );
}
