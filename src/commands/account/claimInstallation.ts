import { accountStream, normaliseEmail } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { INSTALLATION_STREAM, installationDecider } from '../../domain/account/installation.ts';
import { eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { grantAdmin } from './grantAdmin.ts';

/**
 * The last step of a sign-up whose address is claimed: the right to administer. Where an address is configured, the first account that signs up with it
 * and proves that it reads its mail gets it and nobody else, ever; else the first account of the installation. Safe to repeat, by whoever finds that a sign-up broke off before this.
 */
export async function claimInstallation(ctx: CommandContext, input: { readonly userId: string; readonly adminEmail?: string | undefined }): Promise<void> {
  if (input.adminEmail !== undefined) return grantConfigured(ctx, input.userId, normaliseEmail(input.adminEmail));
  const first = await firstAccount(ctx);
  if (first === null) return;
  const admin = await claimFor(ctx, first);
  if (await mayAdminister(ctx, admin)) await grantAdmin(ctx, { userId: admin, reason: 'first_account' });
}

/** An account that only moved to the configured address later did not sign up with it. */
async function grantConfigured(ctx: CommandContext, userId: string, adminEmail: string): Promise<void> {
  if ((await firstOwner(ctx, adminEmail)) !== userId) return;
  const { state, events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const registered = events.find((event) => isOf(event, 'AccountRegistered'));
  if (state.status !== 'active' || registered?.data.email !== adminEmail) return;
  // So that a stranger does not become the first account when the setting is taken away later.
  await claimFor(ctx, userId);
  if (!state.isAdmin) await grantAdmin(ctx, { userId, reason: 'configured' });
}

/**
 * Who had the address, and proved it, before anybody else. The stream of an address outlives its accounts: whoever takes the one that the admin has given up, by a
 * change or with the account, is a stranger.
 */
async function firstOwner(ctx: CommandContext, email: string): Promise<string | null> {
  const { events } = await loadHistory(ctx.store, emailDecider, emailStreamOf(email));
  return events.find((event) => isOf(event, 'EmailClaimed') && event.data.proven)?.data.userId ?? null;
}

/** Whoever was first has it: answers who that is. */
async function claimFor(ctx: CommandContext, userId: string): Promise<string> {
  const { state } = await handle(ctx, installationDecider, INSTALLATION_STREAM, { type: 'ClaimInstallation', userId, at: ctx.now() });
  return state.userId ?? userId;
}

async function mayAdminister(ctx: CommandContext, userId: string): Promise<boolean> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  return state.status === 'active' && !state.isAdmin;
}

/** Who has claimed the installation, else the earliest account that has its address: looked for among very few, and whoever asks finds the same. */
async function firstAccount(ctx: CommandContext): Promise<string | null> {
  const { state } = await loadState(ctx.store, installationDecider, INSTALLATION_STREAM);
  if (state.userId !== null) return state.userId;
  for (let after = START; ; ) {
    const page = await ctx.store.readAll({ after, limit: 100, filter: { types: ['AccountRegistered'] } });
    for (const { data } of eventsOf(page.events, 'AccountRegistered')) {
      const { userId, email } = data;
      const claim = await loadState(ctx.store, emailDecider, emailStreamOf(email));
      if (claim.state.userId === userId) return userId;
    }
    if (page.end) return null;
    after = page.next;
  }
}
