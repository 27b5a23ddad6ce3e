/** How much of the process's memory an audit may use for a site. */
import { getHeapStatistics } from 'node:v8';

/**
 * Of the heap, for what all audits at once keep of their sites. While the checks run and the files are written, each
 * takes as much again for a while.
 */
const SHARE = 0.3;
/** A few pages fit in, whatever the settings are. */
const LEAST = 4_000_000;

/** For each of `parallel` audits, bytes. */
export function siteBytesOf(parallel: number, heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.max(LEAST, Math.round((heapBytes * SHARE) / parallel));
}
