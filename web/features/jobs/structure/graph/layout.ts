/** Where the pages of the graph are: a circle for each cluster, and in it its pages, near those that they link to. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationNodeDatum,
} from 'd3-force';
import { packSiblings } from 'd3-hierarchy';

/** Plain data, as it is sent to the worker. */
export interface LayoutInput {
  /** Of each page. */
  readonly radii: readonly number[];
  /** Places of the pages of each cluster. */
  readonly clusters: readonly (readonly number[])[];
  /** Places of pages that link. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

const STEPS = 240;
/** Space of a page beside its own size, and of a cluster around its pages. */
const PAGE_SPACE = 3.5;
const CLUSTER_SPACE = 10;
/** Their names are above them. */
const BETWEEN_CLUSTERS = 12;

/** Radius of a page by its PageRank, of which the highest is `most`. */
export const radiusOf = (pageRank: number, most: number): number => 3 + 13 * Math.sqrt(pageRank / Math.max(1, most));

/** The circles of the clusters around 0, 0: the first in the middle. */
export function circlesOf({ radii, clusters }: Pick<LayoutInput, 'radii' | 'clusters'>): readonly Circle[] {
  const circles = clusters.map((pages) => {
    const area = pages.reduce((sum, place) => sum + ((radii[place] ?? 0) + PAGE_SPACE) ** 2, 0);
    const widest = pages.reduce((most, place) => Math.max(most, radii[place] ?? 0), 0);
    return { x: 0, y: 0, r: Math.max(Math.sqrt(area * 1.5), widest + PAGE_SPACE) + CLUSTER_SPACE + BETWEEN_CLUSTERS };
  });
  packSiblings(circles);
  return circles.map(({ x, y, r }) => ({ x, y, r: r - BETWEEN_CLUSTERS }));
}

type Place = SimulationNodeDatum & { readonly index: number; readonly circle: Circle; readonly r: number };

export interface Layout {
  readonly steps: number;
  /** Goes on by this many steps. */
  readonly advance: (steps: number) => void;
  /** x and y of each page in turn. */
  readonly positions: () => Float32Array;
}

/** The same input has the same layout. */
export function layoutOf(input: LayoutInput): Layout {
  const circles = circlesOf(input);
  const places = placesIn(input, circles);
  const links = input.from.map((source, n) => ({ source, target: input.to[n] ?? source }));
  const simulation: Simulation<Place, undefined> = forceSimulation(places)
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / STEPS))
    .force('x', forceX<Place>(({ circle }) => circle.x).strength(0.06))
    .force('y', forceY<Place>(({ circle }) => circle.y).strength(0.06))
    .force(
      'charge',
      forceManyBody<Place>()
        .strength(({ r }) => -4 - r * 2)
        .distanceMax(140),
    )
    .force(
      'links',
      forceLink<Place, { source: number | Place; target: number | Place }>(links)
        .distance(48)
        .strength(Math.min(0.04, 12 / Math.max(1, links.length))),
    )
    .force('apart', forceCollide<Place>(({ r }) => r + PAGE_SPACE / 2).iterations(2))
    .force('within', () => keepWithin(places));
  return {
    steps: STEPS,
    advance: (steps) => {
      simulation.tick(steps);
    },
    positions: () => {
      keepWithin(places);
      return Float32Array.from(places.flatMap(({ x = 0, y = 0 }) => [x, y]));
    },
  };
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** In a spiral around the middle of their circles, the largest inside. */
function placesIn({ radii, clusters }: LayoutInput, circles: readonly Circle[]): Place[] {
  const places: Place[] = [];
  for (const [cluster, pages] of clusters.entries()) {
    const circle = circles[cluster] ?? { x: 0, y: 0, r: 0 };
    const room = Math.max(0, circle.r - CLUSTER_SPACE);
    for (const [nth, index] of pages.entries()) {
      const distance = pages.length > 1 ? room * Math.sqrt(nth / pages.length) : 0;
      places.push({
        index,
        circle,
        r: radii[index] ?? 0,
        x: circle.x + distance * Math.cos(nth * GOLDEN_ANGLE),
        y: circle.y + distance * Math.sin(nth * GOLDEN_ANGLE),
      });
    }
  }
  return places.sort((a, b) => a.index - b.index);
}

function keepWithin(places: readonly Place[]): void {
  for (const place of places) {
    const { circle, r, x = 0, y = 0 } = place;
    const [dx, dy] = [x - circle.x, y - circle.y];
    const distance = Math.hypot(dx, dy);
    const most = Math.max(0, circle.r - r - CLUSTER_SPACE / 2);
    if (distance <= most) continue;
    place.x = circle.x + (dx / distance) * most;
    place.y = circle.y + (dy / distance) * most;
  }
}
