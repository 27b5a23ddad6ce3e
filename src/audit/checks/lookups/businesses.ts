/** Places people can visit, as the pages of a site show and describe them. */
import type { Crawl } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import type { Pausable } from '../../timeSlices.ts';
import { isComplete } from '../applies.ts';
import type { Fault, HtmlPage } from '../check.ts';
import { Listing } from '../listing.ts';
import { faultsOfNode, isDescribed } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { gatheringNodes, namesType, type PlacedNode, schemaIsReadable, textOf } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { firstPage } from './pages.ts';
import { gatheringReviewed } from './ratings.ts';
import { siteIndex } from './siteIndex.ts';

type Description = { readonly page: HtmlPage; readonly placed: PlacedNode; readonly lacks: number };

export type Businesses = {
  /** A page describes or shows a place. */
  readonly areThere: boolean;
  /** Every page was read in full, and so was its structured data about businesses. */
  readonly areReadable: boolean;
  /** A page describes one in structured data, and not only to review it. */
  readonly areMarked: boolean;
  /** The most complete description of each, by name. */
  readonly best: ReadonlyMap<string, Description>;
  /** Incomplete descriptions of further ones, since only so many names are kept. */
  readonly beyond: number;
};

/** A directory of shops may name thousands, a hostile site millions. */
const MAX_NAMES = 10 * THRESHOLDS.findingsPerCheck;

const known = new WeakMap<Crawl, Businesses>();

/** Gathered once per crawl, in slices. */
export function* businessesOf(site: Crawl): Pausable<Businesses> {
  const businesses = known.get(site) ?? (yield* gathering(site));
  known.set(site, businesses);
  return businesses;
}

function* gathering(site: Crawl): Pausable<Businesses> {
  const best = new Map<string, Description>();
  let [areThere, areReadable, areMarked, beyond] = [false, true, false, 0];
  for (const page of siteIndex(site).htmlPages) {
    yield;
    const { facts } = page;
    const nodes = yield* gatheringNodes(facts, 'LocalBusiness');
    const own = yield* ownDescriptions(facts, nodes);
    const isNamed = namesType(facts, 'LocalBusiness');
    areReadable &&= isComplete(page) && schemaIsReadable(facts) && (!isNamed || nodes.length > 0);
    areThere ||= facts.visiting !== null || own.length > 0 || (isNamed && !nodes.some(isDescribed));
    areMarked ||= own.length > 0;
    for (const [nth, placed] of own.entries()) {
      if (nth % DESCRIPTIONS_AT_ONCE === 0) yield;
      if (!keepBest(best, page, placed)) beyond += 1;
    }
  }
  return { areThere, areReadable, areMarked, best, beyond };
}

const DESCRIPTIONS_AT_ONCE = 64;

/** Those that the page only reviews are not the site's. */
function* ownDescriptions(facts: PageFacts, nodes: readonly PlacedNode[]): Pausable<readonly PlacedNode[]> {
  const described = nodes.filter(isDescribed);
  if (described.length === 0) return described;
  const reviewed = yield* gatheringReviewed(facts);
  return described.filter(({ node }) => !reviewed.has(node));
}

/**
 * Most sites repeat a business on many pages, for example as publisher or provider, so only its most complete
 * description counts. False for an incomplete one under a name that there is no room for.
 */
function keepBest(best: Map<string, Description>, page: HtmlPage, placed: PlacedNode): boolean {
  const name = textOf(placed.node, 'name') ?? '';
  const other = best.get(name);
  if (other?.lacks === 0) return true;
  const { required, recommended } = lacksOf(placed.node, 'LocalBusiness', page.facts);
  const lacks = 10 * required.length + recommended.length;
  if (other === undefined && best.size >= MAX_NAMES) return lacks === 0;
  if (other === undefined || lacks < other.lacks) best.set(name, { page, placed, lacks });
  return true;
}

/** Written for those that can be listed. */
export function* faultsOfBusinesses({ best, beyond }: Businesses): Pausable<Listing> {
  const listing = new Listing();
  for (const { page, placed, lacks } of best.values()) {
    yield;
    if (lacks === 0) continue;
    listing.add(() => {
      // One fault each: what is recommended counts only where nothing required is lacking.
      const [{ hint, ...fault }] = faultsOfNode(page, placed, 'LocalBusiness', 'business') as [Fault];
      return hint === true ? { ...fault, impact: 'low' } : fault;
    });
  }
  if (listing.faults.length > 0) listing.countUnlisted(beyond);
  return listing;
}

/** The first page that shows opening hours, or else an address. */
export function* placeOf(site: Crawl): Pausable<HtmlPage | null> {
  return (
    (yield* firstPage(site, ({ facts }) => facts.visiting?.hours != null)) ??
    (yield* firstPage(site, ({ facts }) => facts.visiting !== null))
  );
}
