/** Random numbers, reproducible by a seed. */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** An integer, both ends included. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  /** An independent stream, so that one client's numbers do not depend on the order of the others. */
  fork(label: number): Random;
  /** 32 hex digits. */
  hex(): string;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    fork: (label) => createRandom((seed ^ Math.imul(label + 1, 0x9e3779b1)) >>> 0),
    hex: () =>
      Array.from({ length: 4 }, () =>
        Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join(''),
  };
}
