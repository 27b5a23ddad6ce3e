/** Deletes models' responses to prompt trials when they are no longer needed. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetPromptTrial } from '../../commands/promptTrial/forgetPromptTrial.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';
import { removeListed } from './removeListed.ts';

export type OldPromptTrialsDeps = {
  readonly context: ContextOf;
  /** Ended before that time (UTC ISO), oldest first. */
  readonly listEnded: (
    before: string,
    limit: number,
  ) => Promise<readonly { readonly job_id: string; readonly ask: number }[]>;
  /** Whether `listEnded` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

const KEPT_MS = 60 * 60 * 1_000;

export function createOldPromptTrials({ context, listEnded, reached }: OldPromptTrialsDeps): Sweep {
  return {
    name: 'oldPromptTrials',
    everyMs: 10 * 60_000,
    run: (_kept, signal) =>
      removeListed({
        list: (limit) => listEnded(ago(context(null).now(), KEPT_MS), limit),
        remove: ({ job_id: jobId, ask }) => forgetPromptTrial(context(null), { jobId, ask }),
        reached,
        signal,
      }),
  };
}
