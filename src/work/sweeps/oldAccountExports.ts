/** Removes the files of account exports that can no longer be downloaded. */
import { expireAccountExport } from '../../commands/accountExport/removeAccountExport.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';

export type OldAccountExportsDeps = {
  readonly context: ContextOf;
  /** Expired by that time (UTC ISO), oldest first. */
  readonly listExpired: (now: string, limit: number) => Promise<readonly { readonly userId: string; readonly ask: number }[]>;
  /** Whether `listExpired` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

const PAGE = 100;

export function createOldAccountExports({ context, listExpired, reached }: OldAccountExportsDeps): Sweep {
  return {
    name: 'oldAccountExports',
    everyMs: 60 * 60_000,
    async run(_kept, signal) {
      let done = 0;
      while (!signal.aborted) {
        const page = await listExpired(context(null).now(), PAGE);
        let last: Position | null = null;
        for (const expired of page) last = await expireAccountExport(context(null), expired);
        done += page.length;
        // The list must have dropped these before the next page is read; anything it still has then is left to another run.
        if (page.length < PAGE || last === null || !(await reached(last))) break;
      }
      return { done, kept: null };
    },
  };
}
