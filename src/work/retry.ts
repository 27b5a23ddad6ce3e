/** How long to wait between attempts. */

const BASE_MS = 2_000;
const CAP_MS = 60 * 60 * 1_000;

/** A random delay up to base × 2^(attempts-1), so that simultaneous failures spread out; null after `most` failed attempts. */
export function fullJitter(random: () => number, most = Number.POSITIVE_INFINITY): (attempts: number) => number | null {
  return (attempts) => (attempts >= most ? null : random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts - 1, 30)));
}
