/** Deletes models' responses to prompt trials when they are no longer needed. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetPromptTrial } from '../../commands/promptTrial/forgetPromptTrial.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

export type OldPromptTrialsDeps = {
  readonly context: ContextOf;
  /** Ended before that time (UTC ISO), oldest first. */
  readonly listEnded: (before: string, limit: number) => Promise<readonly { readonly jobId: string; readonly ask: number }[]>;
  /** Whether `listEnded` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

const KEPT_MS = 60 * 60 * 1_000;
const PAGE = 100;

export function createOldPromptTrials({ context, listEnded, reached }: OldPromptTrialsDeps): Sweep {
  return {
    name: 'oldPromptTrials',
    everyMs: 10 * 60_000,
    async run(_kept, signal) {
      let done = 0;
      while (!signal.aborted) {
        const page = await listEnded(ago(context(null).now(), KEPT_MS), PAGE);
        let last: Position | null = null;
        for (const { jobId, ask } of page) last = await forgetPromptTrial(context(null), { jobId, ask });
        done += page.length;
        // The list must have dropped these before the next page is read; anything it still has then is left to another run.
        if (page.length < PAGE || last === null || !(await reached(last))) break;
      }
      return { done, kept: null };
    },
  };
}
