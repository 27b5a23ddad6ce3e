/** Exports of accounts: pending from the request until the file is ready, given up, or gone with the account. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { AccountExportEvent } from '../../domain/accountExport/events.ts';
import { type AccountExportDeps, performAccountExport } from '../../workers/accountExport.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const ACCOUNT_EXPORT = 'accountExport';

export const accountExportRule: WorkRule = {
  kind: ACCOUNT_EXPORT,
  opens: on('AccountExportRequested', ({ data }) => ({ itemId: data.userId, lane: data.userId })),
  closes: on(['AccountExportReady', 'AccountExportFailed', 'AccountExportRemoved'], ({ data }) => data.userId),
  // An operator may give up an export in progress, and its account may be deleted meanwhile.
  interrupts: ['AccountExportFailed', 'AccountExportRemoved'] satisfies readonly AccountExportEvent['type'][],
};

const PARALLEL = 2;
const PARALLEL_OF_A_USER = 1;
const TRIES = 3;
/** Its owner may have left the page, and comes back for the file; after that they can request it again. */
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1_000;

export function accountExportKind(deps: AccountExportDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: accountExportRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // It has a single step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, opener }, { held }, signal) => {
      const done = await performAccountExport(deps, { userId: itemId, cause: opener }, held, signal);
      return done.outcome === 'ended'
        ? { outcome: 'settled', position: done.position }
        : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
    expiresAfterMs: EXPIRES_AFTER_MS,
  };
}
