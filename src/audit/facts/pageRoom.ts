/** Bounds what is kept of one page, whatever its lists hold. Pure. */
import { PAGE_BYTES, weightOf } from '../memory.ts';
import type { PageFacts } from './pageFacts.ts';

/** Everything that a page may have any amount of. */
const LISTS = [
  'titles',
  'metas',
  'bodyRobots',
  'properties',
  'httpEquiv',
  'canonicals',
  'alternates',
  'headings',
  'links',
  'uncrawlableAnchors',
  'images',
  'resources',
  'structuredData',
  'inlineScripts',
] as const satisfies readonly (keyof PageFacts)[];

const EMPTY = weightOf([]);

/**
 * Facts within the limit as they are. Of heavier ones, each list keeps its beginning: light lists everything, and heavy
 * ones an equal share of the rest.
 */
export function withinRoom(facts: PageFacts, most: number = PAGE_BYTES): PageFacts {
  const whole = weightOf(facts);
  if (whole <= most) return facts;
  const lists = LISTS.map((name) => ({ name, weight: weightOf(facts[name]) })).sort((a, b) => a.weight - b.weight);
  const listed = lists.reduce((sum, { weight }) => sum + weight, 0);
  let left = Math.max(0, most - (whole - listed) - weightOf({ partial: true }));
  const cut: { [Name in (typeof LISTS)[number]]?: never[] } = {};
  lists.forEach(({ name, weight }, index) => {
    const share = left / (lists.length - index);
    const kept = weight <= share ? weight : cutTo(share, name);
    left -= kept;
  });
  return { ...facts, ...cut, partial: true };

  function cutTo(share: number, name: (typeof LISTS)[number]): number {
    const items: readonly unknown[] = facts[name] ?? [];
    let kept = 0;
    let weight = EMPTY;
    for (; kept < items.length; kept += 1) {
      const next = weight + weightOf([items[kept]]) - EMPTY;
      if (next > share) break;
      weight = next;
    }
    cut[name] = items.slice(0, kept) as never[];
    return weight;
  }
}
