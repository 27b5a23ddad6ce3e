/** Removes accounts that never got their address: the sign-up was interrupted, and they cannot be used. */

import { emailStreamOf } from '../../commands/account/emailStreamOf.ts';
import { voidAccount } from '../../commands/account/voidAccount.ts';
import type { CommandContext, ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, hasWanted } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { DataOf } from '../../domain/stored/eventOf.ts';
import type { Sweep } from '../sweep.ts';
import { ago, eventsSince } from './eventsSince.ts';

/** Younger ones may belong to a sign-up that is still in progress. */
const GRACE_MS = 10 * 60 * 1_000;

export function createUnfinishedSignUps({ context }: { readonly context: ContextOf }): Sweep {
  return {
    name: 'unfinishedSignUps',
    everyMs: 60_000,
    run(kept, signal) {
      const ctx = context(null);
      const stretch = { kept, type: 'AccountRegistered', before: ago(ctx.now(), GRACE_MS), signal } as const;
      return eventsSince(
        ctx.store,
        stretch,
        async (event) => (await isUnfinished(ctx, event.data)) && voidAccount(context(event), event.data),
      );
    },
  };
}

async function isUnfinished(ctx: CommandContext, { userId, email }: DataOf<'AccountRegistered'>): Promise<boolean> {
  const claim = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (hasWanted(claim.state, userId)) return false;
  const account = await loadState(ctx.store, accountDecider, accountStream(userId));
  // An account that has another address by now was completed long ago.
  return account.state.status === 'active' && account.state.email === email;
}
