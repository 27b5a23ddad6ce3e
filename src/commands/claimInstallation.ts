import { accountStream } from '../domain/account/account.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import type { AccountEvent } from '../domain/account/events.ts';
import { INSTALLATION_STREAM, installationDecider } from '../domain/account/installation.ts';
import { START } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { grantAdmin } from './grantAdmin.ts';
import { handle, loadState } from './handle.ts';

type Registered = Extract<AccountEvent, { readonly type: 'AccountRegistered' }>['data'];

/**
 * Makes the first account of the installation its admin. Which one is first follows from the log, so that it does not matter
 * who asks: when a sign-up broke off before this, the next sign-up or the reconciler does it for the account that came first.
 */
export async function claimInstallation(ctx: CommandContext): Promise<void> {
  const { state } = await loadState(ctx.store, installationDecider, INSTALLATION_STREAM);
  const first = state.userId ?? (await firstAccount(ctx));
  if (first === null) return;
  const claimed = await handle(ctx, installationDecider, INSTALLATION_STREAM, { type: 'ClaimInstallation', userId: first, at: ctx.now() });
  const admin = claimed.state.userId ?? first;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(admin));
  if (account.status === 'active' && !account.isAdmin) await grantAdmin(ctx, { userId: admin, reason: 'first_account' });
}

/** The earliest account that has its address. Looked for only until the installation is claimed, so among very few. */
async function firstAccount(ctx: CommandContext): Promise<string | null> {
  for (let after = START; ; ) {
    const page = await ctx.store.readAll({ after, limit: 100, filter: { types: ['AccountRegistered'] } });
    for (const event of page.events) {
      const { userId, email } = event.data as Registered;
      const claim = await loadState(ctx.store, emailDecider, emailStreamOf(email));
      if (claim.state.userId === userId) return userId;
    }
    if (page.end) return null;
    after = page.next;
  }
}
