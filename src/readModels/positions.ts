/** The later of two texts in log order: positions, or names of events that begin with one. Null is before all. */
export function laterOf<T extends string>(one: T | null, other: T | null): T | null {
  return (other ?? '') > (one ?? '') ? other : one;
}
