/** Delays between tries. */

const BACKOFF_BASE_MS = 2_000;
const BACKOFF_CAP_MS = 60 * 60 * 1_000;

/** The port's default for failed deliveries: a random delay up to base × 2^(attempt-1), so that failures of the same moment spread out. */
export function fullJitter(random: () => number): (attempt: number) => number {
  return (attempt) => random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
}
