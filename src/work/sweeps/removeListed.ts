/** For sweeps that remove what a list says is too old. */
import type { Position } from '../../eventStore/eventStore.ts';
import type { SweepRun } from '../sweep.ts';
import { orPassOver } from './orPassOver.ts';

type Listed<Subject> = {
  /** Those to remove, oldest first. */
  readonly list: (limit: number) => Promise<readonly Subject[]>;
  /** Returns where the log says so. */
  readonly remove: (subject: Subject) => Promise<Position>;
  /** Whether the list has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly signal: AbortSignal;
};

const PAGE = 200;

/** Page by page, until nothing is left. */
export async function removeListed<Subject>({ list, remove, reached, signal }: Listed<Subject>): Promise<SweepRun> {
  let done = 0;
  const passedOver: Error[] = [];
  while (!signal.aborted) {
    const page = await list(PAGE);
    let last: Position | null = null;
    for (const subject of page) {
      const removedAt = await orPassOver(passedOver, remove(subject));
      if (removedAt === null) continue;
      last = removedAt;
      done += 1;
    }
    // The list must have dropped these before the next page is read; anything it still has then is left to another run.
    if (page.length < PAGE || last === null || !(await reached(last))) break;
  }
  return { done, kept: null, passedOver };
}
