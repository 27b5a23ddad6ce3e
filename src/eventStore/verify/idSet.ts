/** Ids seen so far, eight bytes each: a log of millions fits into memory. */
import { isIn, type Share } from './share.ts';

const FIRST_SLOTS = 1 << 16;

export type IdSet = {
  /** False if it was already present. */
  readonly add: (id: string, share: Share) => boolean;
  /** Drops the ids outside this share. */
  readonly keepOnly: (share: Share) => void;
};

/** By 64 bits of the id: the probability that two of ten million different ids collide is less than one in 100,000. */
export function createIdSet(): IdSet {
  let slots: Uint32Array = new Uint32Array(FIRST_SLOTS * 2);
  let size = 0;

  function insert(into: Uint32Array, high: number, low: number): boolean {
    const mask = into.length / 2 - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const [there, rest] = [into[slot * 2], into[slot * 2 + 1]];
      if (there === high && rest === low) return false;
      if (there !== 0 || rest !== 0) continue;
      into[slot * 2] = high;
      into[slot * 2 + 1] = low;
      return true;
    }
  }

  function moveTo(larger: Uint32Array, isKept: (high: number, low: number) => boolean): void {
    size = 0;
    for (let at = 0; at < slots.length; at += 2) {
      const [high = 0, low = 0] = [slots[at], slots[at + 1]];
      if ((high !== 0 || low !== 0) && isKept(high, low) && insert(larger, high, low)) size += 1;
    }
    slots = larger;
  }

  return {
    add(id, share) {
      const hex = id.replaceAll('-', '');
      // The parts that differ in ids of every kind; never both zero, which is an empty slot.
      const [high, low] = [Number.parseInt(hex.slice(0, 8), 16) >>> 0, (Number.parseInt(hex.slice(-8), 16) | 1) >>> 0];
      if (!isIn(share, keyOf(high, low))) return true;
      const isNew = insert(slots, high, low);
      if (isNew) size += 1;
      if (size * 4 > slots.length) moveTo(new Uint32Array(slots.length * 2), () => true);
      return isNew;
    },
    keepOnly: (share) => moveTo(new Uint32Array(slots.length), (high, low) => isIn(share, keyOf(high, low))),
  };
}

/** The last bit of the lower part is always set. */
const keyOf = (high: number, low: number): number => high ^ (low >>> 1);
