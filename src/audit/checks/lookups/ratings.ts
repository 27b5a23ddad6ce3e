/** Ratings and reviews in structured data, each with the node it is about. */
import { parseUrl } from '../../../model/parseUrl.ts';
import type { Crawl } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { keepingRecent } from '../../recent.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import type { HtmlPage } from '../check.ts';
import { normalText } from '../phrases.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import {
  countsAs,
  eachNode,
  has,
  isNode,
  isReference,
  listOf,
  nodesOf,
  resolved,
  type SchemaNode,
  textOf,
  typesOfNode,
  valuesOf,
} from '../schemaOrg/schemaNodes.ts';
import { hostOf, isStartPage, siteIndex } from './siteIndex.ts';

export type Rating = {
  readonly type: 'AggregateRating' | 'Review';
  readonly node: SchemaNode;
  /** The rated node: the enclosing one or the one named; null if there is neither. */
  readonly subject: SchemaNode | null;
  readonly selector: string;
};

export function ratingsOf(facts: PageFacts): readonly Rating[] {
  const nodes = nodesOf(facts);
  const around = new Map<unknown, SchemaNode>();
  for (const { node } of nodes)
    for (const property of ['aggregateRating', 'review', 'reviews'])
      for (const value of listOf(node[property])) around.set(value, node);
  return nodes.flatMap(({ node, selector }) => {
    const type = typesOfNode(node).some((name) => countsAs(name, 'Review'))
      ? 'Review'
      : typesOfNode(node).includes('AggregateRating')
        ? 'AggregateRating'
        : null;
    if (type === null || isReference(node)) return [];
    const named = valuesOf(node, 'itemReviewed')
      .map((value) => resolved(facts, value))
      .find(isNode);
    return [{ type, node, subject: around.get(node) ?? named ?? null, selector }];
  });
}

/** Null if the rating is usable. */
export function ratingProblem({ type, node, subject }: Rating, page: HtmlPage, site: Crawl): string | null {
  const { facts } = page;
  const { required } = lacksOf(node, type, facts);
  if (required.length > 0) return `lacks ${required.join(', ')}`;
  if (type === 'AggregateRating') {
    const counts = COUNTS.filter((name) => has(node, name)).map((name) => Number(textOf(node, name)));
    const negative = counts.find((count) => count < 0);
    if (negative !== undefined) return `counts ${negative} ratings`;
    if (counts.every((count) => count === 0)) return 'counts no rating at all';
  }
  const value =
    type === 'AggregateRating'
      ? node
      : valuesOf(node, 'reviewRating')
          .map((rating) => resolved(facts, rating))
          .find(isNode);
  const range = value === undefined ? null : rangeProblem(value);
  if (range !== null) return range;
  const isOwn = subject !== null && isOrganization(subject) && isOfSite(subject, page, site);
  return isOwn ? 'is one that an organization gives itself on its own site, which search engines do not show' : null;
}

const COUNTS = ['ratingCount', 'reviewCount'] as const;

function isOrganization(node: SchemaNode): boolean {
  return typesOfNode(node).some((name) => countsAs(name, 'Organization'));
}

/** Nodes that a review is about: described for the sake of the review. */
export function* gatheringReviewed(facts: PageFacts): Pausable<ReadonlySet<unknown>> {
  const reviewed = new Set<unknown>();
  yield* eachNode(facts, ({ node }) => {
    for (const value of listOf(node.itemReviewed)) reviewed.add(resolved(facts, value));
  });
  return reviewed;
}

/** The organization that runs the site: by its address, or by a name that the site gives itself. */
function isOfSite(subject: SchemaNode, page: HtmlPage, site: Crawl): boolean {
  const written = textOf(subject, 'url');
  const url = written === null ? null : parseUrl(written, page.outcome.url);
  if (url !== null) {
    const { host, pathname } = url;
    const isHere = bareHost(host) === bareHost(hostOf(page.outcome.url));
    if (!isHere || pathname === '/') return isHere;
  }
  const names = [namesOfSite(site), publishersOf(page.facts)];
  const name = normalText(textOf(subject, 'name') ?? '');
  if (names.every(({ size }) => size === 0)) return isStartPage(page);
  return name !== '' && names.some((known) => known.has(name));
}

const bareHost = (host: string): string => host.replace(/^www\./, '');

const known = new WeakMap<Crawl, ReadonlySet<string>>();

/** What the start page calls the site and its organization. There may be thousands, and every page asks for them. */
function namesOfSite(site: Crawl): ReadonlySet<string> {
  const names = known.get(site) ?? readNames(siteIndex(site).start?.facts ?? null);
  known.set(site, names);
  return names;
}

function readNames(start: PageFacts | null): ReadonlySet<string> {
  if (start === null) return new Set();
  const reviewed = atOnce(gatheringReviewed(start));
  const nodes = nodesOf(start).filter(
    ({ node }) => !reviewed.has(node) && (isOrganization(node) || typesOfNode(node).includes('WebSite')),
  );
  const siteName = start.properties.find(({ name }) => name === 'og:site_name')?.content ?? '';
  const names = [siteName, ...nodes.map(({ node }) => textOf(node, 'name') ?? '')].filter((name) => name.trim() !== '');
  return new Set(names.map(normalText));
}

/** Of the last pages only: a page may have thousands of ratings, and name thousands of publishers. */
const publishersOf = keepingRecent(
  (facts: PageFacts): ReadonlySet<string> =>
    new Set(
      nodesOf(facts)
        .flatMap(({ node }) =>
          valuesOf(node, 'publisher').flatMap(
            (value) => textOf({ publisher: resolved(facts, value) }, 'publisher') ?? [],
          ),
        )
        .map(normalText),
    ),
  2,
);

/** Must be between worstRating and bestRating, by default 1 and 5. A decimal comma is a mistake, but readable. */
function rangeProblem(node: SchemaNode): string | null {
  const number = (name: string, fallback: number): number => {
    const text = textOf(node, name);
    return text === null ? fallback : Number(text.replace(',', '.').replace(/%$/, ''));
  };
  const [value, worst, best] = [number('ratingValue', Number.NaN), number('worstRating', 1), number('bestRating', 5)];
  if (Number.isNaN(value)) return `has the rating "${textOf(node, 'ratingValue') ?? ''}", which isn’t a number`;
  if (worst > best) return `has a worst rating of ${worst} and a best one of ${best}`;
  return value < worst || value > best ? `has the rating ${value}, outside ${worst} to ${best}` : null;
}
