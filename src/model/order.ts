/** Comparators of values, text by its code units. Equal values keep their order, as `sort` is stable. */
type Value = string | number;

export const ascending = <V extends Value>(a: V, b: V): number => (a < b ? -1 : a > b ? 1 : 0);
export const descending = <V extends Value>(a: V, b: V): number => ascending(b, a);
