/**
 * Roughly how much memory a report's state takes. Only some entries of large collections are visited, so it is quick.
 */

/** Entries visited of a large collection. */
const SAMPLED = 500;
/** In V8 on 64 bits, rounded: an object or a string without its content, a field, and an entry of a map or set. */
const OBJECT_BYTES = 24;
const FIELD_BYTES = 8;
const ENTRY_BYTES = 36;

/** A shared value counts wherever it is used, so the result may be too high. `value`: plain data without cycles. */
export function stateBytes(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  if (value instanceof Map)
    return OBJECT_BYTES + sampled(value, value.size, ([key, of]) => ENTRY_BYTES + stateBytes(key) + stateBytes(of));
  if (value instanceof Set) return OBJECT_BYTES + sampled(value, value.size, (each) => ENTRY_BYTES + stateBytes(each));
  if (Array.isArray(value))
    return OBJECT_BYTES + sampled(value, value.length, (each) => FIELD_BYTES + stateBytes(each));
  return Object.values(value).reduce<number>((sum, each) => sum + FIELD_BYTES + stateBytes(each), OBJECT_BYTES);
}

/** Visits every nth entry: new ones may be larger or smaller than old ones. */
function sampled<Each>(all: Iterable<Each>, size: number, bytesOf: (each: Each) => number): number {
  const step = Math.max(1, Math.floor(size / SAMPLED));
  let [nth, visited, bytes] = [0, 0, 0];
  for (const each of all) {
    if (nth % step === 0) {
      visited += 1;
      bytes += bytesOf(each);
    }
    nth += 1;
  }
  return visited === 0 ? 0 : Math.round((bytes * size) / visited);
}
