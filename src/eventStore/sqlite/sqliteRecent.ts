/** The types of the newest events: a subscription to other types need not ask the database about each commit. */

export type RecentTypes = {
  /** Positions follow one another. */
  note(position: bigint, type: string): void;
  /** A transaction was rolled back: its positions are assigned again. */
  forgetAll(): void;
  /** False only if no event in (after, last] has one of these types. */
  mayHold(types: ReadonlySet<string>, after: bigint, last: bigint): boolean;
};

/** A subscription that is further behind reads the log anyway. */
const MOST = 1_000;

export function createRecentTypes(): RecentTypes {
  let types: string[] = [];
  /** Position of the first of them. */
  let first = 0n;
  return {
    note(position, type) {
      if (position !== first + BigInt(types.length)) {
        types = [];
        first = position;
      }
      types.push(type);
      if (types.length < 2 * MOST) return;
      types = types.slice(MOST);
      first += BigInt(MOST);
    },
    forgetAll() {
      types = [];
    },
    mayHold(wanted, after, last) {
      if (after + 1n < first || last >= first + BigInt(types.length)) return true;
      for (let at = Number(after + 1n - first); at <= Number(last - first); at += 1) if (wanted.has(types[at] as string)) return true;
      return false;
    },
  };
}
