/** A thread whose work can wait a little leaves the cores to the one that serves people, where there are fewer cores than threads. */
import { getPriority, setPriority } from 'node:os';

/** On the scale of `nice`: beside a thread that wants the same core, this one gets about a quarter of it. */
const STEPS = 5;
const LOWEST = 19;

/** The calling thread alone. Linux can do that; elsewhere it would be the whole process, so there it stays as it is. */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + STEPS));
  } catch {
    // A system that forbids it lets the thread work all the same.
  }
}
