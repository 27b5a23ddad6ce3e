/**
 * Something kept for each of the keys that clients make: addresses, accounts that were typed. There is always room for
 * another, as the keys made longest ago are forgotten: of two halves, the older one goes as a whole, which costs nothing
 * however many come.
 */

/** At least half of them are the newest. All of them take about 10 MB, and all limits of an address 150 MB. */
export const MOST_KEYS = 50_000;

export type RecentKeys<Kept> = {
  get(key: string): Kept | undefined;
  /** From now on it is the newest key. */
  set(key: string, kept: Kept): void;
  delete(key: string): void;
  readonly size: number;
};

/** `forMs`: what was set longer ago means nothing any more, and is forgotten as others are set. */
export function createRecentKeys<Kept>(forMs: number, most = MOST_KEYS): RecentKeys<Kept> {
  let newer = new Map<string, Kept>();
  let older = new Map<string, Kept>();
  let begun = Date.now();
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set: (key, kept) => {
      const now = Date.now();
      if (newer.size >= most / 2 || now - begun > forMs) {
        older = newer;
        newer = new Map();
        begun = now;
      }
      older.delete(key);
      newer.set(key, kept);
    },
    delete: (key) => {
      newer.delete(key);
      older.delete(key);
    },
    get size() {
      return newer.size + older.size;
    },
  };
}
