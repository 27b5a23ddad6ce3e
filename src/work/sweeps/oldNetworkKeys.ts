/** Deletes the keys of submitters' networks two days after theirs. */
import type { Marks } from '../../readModels/claims.ts';
import { removeOldNetworkKeys } from '../../readModels/networkKeys.ts';
import type { Sweep } from '../sweep.ts';

export function createOldNetworkKeys(deps: {
  readonly marks: Pick<Marks, 'remove'>;
  readonly now: () => string;
}): Sweep {
  return {
    name: 'oldNetworkKeys',
    everyMs: 60 * 60_000,
    run: async (kept) => ({ done: 0, kept: await removeOldNetworkKeys(deps.marks, deps.now().slice(0, 10), kept) }),
  };
}
