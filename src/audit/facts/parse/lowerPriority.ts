/**
 * Lowers the priority of a background thread, so that the thread serving requests goes first when there are fewer cores
 * than threads.
 */
import { getPriority, setPriority } from 'node:os';

/** In `nice` steps: competing for a core, this thread gets about a quarter of it. */
const STEPS = 5;
const LOWEST = 19;

/**
 * Affects the calling thread only, which Linux supports. Elsewhere it would affect the whole process, so there it does
 * nothing.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + STEPS));
  } catch {
    // Not permitted: keep the normal priority.
  }
}
