/** A set of ids that takes eight bytes an id instead of a hundred, so that a report may remember millions. Plain data: it is saved with a report's state. */

/** Pairs of 32-bit hashes in open addressing; a slot of zeros is empty. */
export type CompactIds = { slots: Uint32Array; size: number };

const FIRST_SLOTS = 1 << 10;
/** 32-bit FNV-1a. */
const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;
/** A second, independent start value: both hashes together make 64 bits. */
const OTHER_OFFSET = 0x9747b28c;

export function compactIds(): CompactIds {
  return { slots: new Uint32Array(FIRST_SLOTS * 2), size: 0 };
}

/** Changes `ids` in place. */
export function addId(ids: CompactIds, id: string): void {
  if (!insert(ids.slots, hash(id, FNV_OFFSET), hash(id, OTHER_OFFSET))) return;
  ids.size += 1;
  if (ids.size * 4 > ids.slots.length) grow(ids);
}

/** Mistakes another id for this one with a probability of less than one in a trillion among ten million ids. */
export function hasId({ slots }: CompactIds, id: string): boolean {
  const [high, low] = [hash(id, FNV_OFFSET), hash(id, OTHER_OFFSET)];
  const at = slotOf(slots, high, low);
  return slots[at] === high && slots[at + 1] === low;
}

/** Never zero, which marks an empty slot. */
function hash(id: string, offset: number): number {
  let value = offset;
  for (let at = 0; at < id.length; at += 1) value = Math.imul(value ^ id.charCodeAt(at), FNV_PRIME);
  // FNV's low bits are weak for ids that differ at their end alone.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value ^= value >>> 13;
  return value >>> 0 || 1;
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
  for (let at = 0; at < slots.length; at += 2) if (slots[at] !== 0) insert(larger, slots[at] as number, slots[at + 1] as number);
  ids.slots = larger;
}
