/** The places of a page that an address with a fragment leads to: its ids, and the names of its anchors. */
import type { PageFacts } from './pageFacts.ts';

/** A page with more is not judged by them. */
const MAX_TARGETS = 3000;
const DIGITS = 8;

export type TargetCollector = Set<string>;

export function collectTarget(targets: TargetCollector, name: string): void {
  if (name !== '' && targets.size <= MAX_TARGETS) targets.add(hashOf(name));
}

/** Nothing of a page that has too many. */
export function targetFacts(targets: TargetCollector): Pick<PageFacts, 'targets'> {
  return targets.size > MAX_TARGETS ? {} : { targets: [...targets].join('') };
}

const known = new WeakMap<PageFacts, ReadonlySet<string>>();

/** Whether the page has this place; null if its places are not known. */
export function hasTarget(facts: PageFacts, name: string): boolean | null {
  if (facts.targets === undefined) return null;
  let targets = known.get(facts);
  if (targets === undefined) {
    targets = new Set(facts.targets.match(/.{8}/g) ?? []);
    known.set(facts, targets);
  }
  return targets.has(hashOf(name));
}

/** Ids may be long, and are kept of every page. */
function hashOf(text: string): string {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return (mixed >>> 0).toString(16).padStart(DIGITS, '0');
}
