/** The frame around the compressed data of gzip (RFC 1952). */

const FIXED = 10;
/** Check sum and length behind the data, which browsers do not look at. */
export const GZIP_TRAILER = 8;
const [HAS_CHECK, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Where the data of a member starts, which is the end if the header is incomplete; null if this is no member. */
export function gzipDataStart(bytes: Uint8Array): number | null {
  if (!isGzip(bytes) || (bytes[2] ?? 8) !== 8) return null;
  const flags = bytes[3] ?? 0;
  let at = FIXED;
  if (flags & HAS_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const text of [HAS_NAME, HAS_COMMENT]) if (flags & text) at = behindZero(bytes, at);
  if (flags & HAS_CHECK) at += 2;
  return Math.min(at, bytes.length);
}

function behindZero(bytes: Uint8Array, from: number): number {
  const zero = bytes.indexOf(0, from);
  return zero < 0 ? bytes.length : zero + 1;
}
