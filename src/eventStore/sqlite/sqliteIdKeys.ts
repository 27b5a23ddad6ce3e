/**
 * The ids in a stream, as numbers: 4 bytes for each one that has been there for a while, so that a stream of hundreds
 * of thousands stays small.
 */

export type IdKeys = {
  /** A match is only a hint: two ids may share a key. */
  has(key: number): boolean;
  add(key: number): void;
  readonly size: number;
};

/**
 * New ids are merged once there are more than this, and more than a quarter of the others: each is moved a few times at
 * most.
 */
const NEW = 1_024;

/** `keys` are 32-bit integers. */
export function createIdKeys(keys: readonly number[]): IdKeys {
  let sorted = Int32Array.from(keys).sort();
  let added = new Set<number>();

  function settle(): void {
    const all = new Int32Array(sorted.length + added.size);
    all.set(sorted);
    all.set([...added], sorted.length);
    sorted = all.sort();
    added = new Set();
  }

  return {
    has: (key) => added.has(key) || holds(sorted, key),
    add(key) {
      added.add(key);
      if (added.size > Math.max(NEW, sorted.length / 4)) settle();
    },
    get size() {
      return sorted.length + added.size;
    },
  };
}

function holds(sorted: Int32Array, key: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < key) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === key;
}
