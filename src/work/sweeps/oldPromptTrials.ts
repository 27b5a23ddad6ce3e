/** Forgets what models answered to prompts that were tried, once nobody looks at it any more. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetPromptTrial } from '../../commands/promptTrial/forgetPromptTrial.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

export type OldPromptTrialsDeps = {
  readonly context: ContextOf;
  /** Ended before that time (UTC ISO), the oldest first. */
  readonly listEnded: (before: string, limit: number) => Promise<readonly { readonly jobId: string; readonly ask: number }[]>;
  /** Whether `listEnded` knows the log up to there; waits a little for it. */
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
        // The list must have lost these before it is asked for the next; what it still has then is left for another run.
        if (page.length < PAGE || last === null || !(await reached(last))) break;
      }
      return { done, kept: null };
    },
  };
}
