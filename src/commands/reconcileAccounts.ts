import { accountStream } from '../domain/account/account.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import type { AccountEvent } from '../domain/account/events.ts';
import type { Position } from '../eventStore/eventStore.ts';
import { claimInstallation } from './claimInstallation.ts';
import type { CommandContext } from './context.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { loadState } from './handle.ts';
import { voidAccount } from './voidAccount.ts';

/** Younger ones may belong to a sign-up that is still under way. */
const SIGN_UP_GRACE_MS = 10 * 60 * 1_000;
const PAGE = 200;

type Registered = Extract<AccountEvent, { readonly type: 'AccountRegistered' }>['data'];

/**
 * Owner of what a crash leaves of a sign-up: removes accounts that never got their address, and gives the first account its right to
 * administer. Goes through the registrations after `after`; pass `next` the next time.
 */
export async function reconcileAccounts(
  ctx: CommandContext,
  input: { readonly after: Position },
): Promise<{ readonly removed: number; readonly next: Position }> {
  await claimInstallation(ctx);
  const before = new Date(Date.parse(ctx.now()) - SIGN_UP_GRACE_MS).toISOString();
  let removed = 0;
  for (let after = input.after; ; ) {
    const page = await ctx.store.readAll({ after, limit: PAGE, filter: { types: ['AccountRegistered'] } });
    for (const event of page.events) {
      const account = event.data as Registered;
      if (account.registeredAt >= before) return { removed, next: after };
      if (await isUnfinished(ctx, account)) removed += (await voidAccount(ctx, account)) ? 1 : 0;
      after = event.position;
    }
    if (page.end) return { removed, next: page.next };
    after = page.next;
  }
}

async function isUnfinished(ctx: CommandContext, { userId, email }: Registered): Promise<boolean> {
  const claim = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (claim.state.userId === userId) return false;
  const account = await loadState(ctx.store, accountDecider, accountStream(userId));
  // One that has another address by now was finished long ago.
  return account.state.status === 'active' && account.state.email === email;
}
