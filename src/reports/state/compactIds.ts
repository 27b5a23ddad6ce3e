/**
 * A set of ids that takes eight bytes an id instead of a hundred, so that a report may remember millions. Plain data:
 * it is saved with a report's state.
 */

/** Pairs of 32-bit hashes in open addressing; a slot of zeros is empty. */
export type CompactIds = { slots: Uint32Array; size: number };

const FIRST_SLOTS = 1 << 10;
/** 32-bit FNV-1a. */
const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;
/** The second hash starts and multiplies differently, so that both together make 64 bits. */
const OTHER_PRIME = 0x5bd1e995;
const OTHER_OFFSET = 0x9747b28c;

export function compactIds(): CompactIds {
  return { slots: new Uint32Array(FIRST_SLOTS * 2), size: 0 };
}

/** Changes `ids` in place. */
export function addId(ids: CompactIds, id: string): void {
  const [high, low] = hashes(id);
  add(ids, high, low);
}

function add(ids: CompactIds, high: number, low: number): void {
  if (!insert(ids.slots, high, low)) return;
  ids.size += 1;
  if (ids.size * 4 > ids.slots.length) grow(ids);
}

/** Adds all ids of `others` to `ids`, in place. */
export function addIds(ids: CompactIds, { slots }: CompactIds): void {
  for (let at = 0; at < slots.length; at += 2)
    if (slots[at] !== 0) add(ids, slots[at] as number, slots[at + 1] as number);
}

/** Mistakes another id for this one with a probability of less than one in a trillion among ten million ids. */
export function hasId({ slots }: CompactIds, id: string): boolean {
  const [high, low] = hashes(id);
  const at = slotOf(slots, high, low);
  return slots[at] === high && slots[at + 1] === low;
}

/** Both hashes in one pass; never zero, which marks an empty slot. */
function hashes(id: string): readonly [high: number, low: number] {
  let high = FNV_OFFSET;
  let low = OTHER_OFFSET;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    high = Math.imul(high ^ code, FNV_PRIME);
    low = Math.imul(low ^ code, OTHER_PRIME);
  }
  return [mixed(high), mixed(low)];
}

/** FNV's low bits are weak for ids that differ at their end alone. */
function mixed(hash: number): number {
  const value = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0 || 1;
}

/** Index of the id's slot, or of the empty one where it belongs. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / 2 - 1;
  for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * 2;
    if (slots[at] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
  }
}

/** False if it is there already. */
function insert(slots: Uint32Array, high: number, low: number): boolean {
  const at = slotOf(slots, high, low);
  if (slots[at] !== 0) return false;
  slots[at] = high;
  slots[at + 1] = low;
  return true;
}

function grow(ids: CompactIds): void {
  const { slots } = ids;
  const larger = new Uint32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += 2)
    if (slots[at] !== 0) insert(larger, slots[at] as number, slots[at + 1] as number);
  ids.slots = larger;
}
