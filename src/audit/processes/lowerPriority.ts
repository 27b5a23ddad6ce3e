/** Lowers the priority of a helper process, so that the one serving requests goes first on a machine with few cores. */
import { getPriority, setPriority } from 'node:os';

/** In `nice` steps: competing for a core, it gets about a quarter of it. */
const STEPS = 5;
const LOWEST = 19;

/** Of the calling process; on Linux, of its calling thread. */
export function lowerPriority(): void {
  try {
    setPriority(Math.min(LOWEST, getPriority() + STEPS));
  } catch {
    // Not permitted: keep the normal priority.
  }
}
