/** Removes the files of account exports that can no longer be downloaded. */
import { expireAccountExport } from '../../commands/accountExport/removeAccountExport.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { removeListed } from './removeListed.ts';

export type OldAccountExportsDeps = {
  readonly context: ContextOf;
  /** Expired by that time (UTC ISO), oldest first. */
  readonly listExpired: (
    now: string,
    limit: number,
  ) => Promise<readonly { readonly userId: string; readonly ask: number }[]>;
  /** Whether `listExpired` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

export function createOldAccountExports({ context, listExpired, reached }: OldAccountExportsDeps): Sweep {
  return {
    name: 'oldAccountExports',
    everyMs: 60 * 60_000,
    run: (_kept, signal) =>
      removeListed({
        list: (limit) => listExpired(context(null).now(), limit),
        remove: (expired) => expireAccountExport(context(null), expired),
        reached,
        signal,
      }),
  };
}
