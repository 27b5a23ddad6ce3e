/** Positions in log order, which is text order; null is before all. */
import type { Position } from './readModels.ts';

/** The later of two positions, or names of events that begin with one. */
export function laterOf<T extends string>(one: T | null, other: T | null): T | null {
  return (other ?? '') > (one ?? '') ? other : one;
}

/** Undefined if there is none. */
export function furthestBehind<T extends { readonly checkpoint: Position | null }>(
  builds: readonly T[],
): T | undefined {
  return builds.reduce<T | undefined>(
    (last, build) => (!last || (build.checkpoint ?? '') < (last.checkpoint ?? '') ? build : last),
    undefined,
  );
}
