import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream, INSTALLATION_STREAM } from '../../domain/account/events.ts';
import { installationDecider } from '../../domain/account/installation.ts';
import type { ProofKind } from '../../domain/account/proof.ts';
import { eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { type Position, START } from '../../eventStore/eventStore.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { grantAdmin } from './grantAdmin.ts';

/**
 * After the address is claimed or proven: grants the right to administer. If an admin address is configured, only the
 * first account that signs up with it and proves it ever gets the right, at its next log-in (`grantAtLogIn`), or at
 * once where no proof is asked for; otherwise the first account of the installation does. Safe to repeat, to recover a
 * sign-up or a proof that was interrupted before this.
 */
export async function claimInstallation(
  ctx: CommandContext,
  input: { readonly userId: string; readonly adminEmail?: string | undefined },
): Promise<void> {
  if (input.adminEmail !== undefined) return grantConfigured(ctx, input.userId, normaliseEmail(input.adminEmail));
  const first = await firstAccount(ctx);
  if (first === null) return;
  const admin = await claimFor(ctx, first);
  if (await mayAdminister(ctx, admin)) await grantAdmin(ctx, { userId: admin, reason: 'first_account' });
}

async function grantConfigured(ctx: CommandContext, userId: string, adminEmail: string): Promise<void> {
  const provenBy = await configuredProof(ctx, userId, adminEmail);
  if (provenBy === null) return;
  // So that no stranger becomes the first account if the setting is removed later.
  await claimFor(ctx, userId);
  if (provenBy === 'unasked') await grantAdmin(ctx, { userId, reason: 'configured' });
}

/** At a log-in that began after the proof. Returns the grant's position, if there is one. */
export async function grantAtLogIn(
  ctx: CommandContext,
  { userId, adminEmail }: { readonly userId: string; readonly adminEmail: string | null },
): Promise<Position | null> {
  if (adminEmail === null) return null;
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  // Nearly every log-in ends here; the rest is read until the right is granted, or for as long as a person has
  // withdrawn it.
  if (state.status !== 'active' || state.isAdmin || state.adminWithdrawn || state.email !== normaliseEmail(adminEmail))
    return null;
  const provenBy = await configuredProof(ctx, userId, state.email);
  if (provenBy === null || provenBy === 'unasked') return null;
  return (await grantAdmin(ctx, { userId, reason: 'configured' })).position;
}

/**
 * How the account proved the configured address; null if that gives it no right: it moved to the address later, it is
 * not the first that had it, or it has shown too little. A link alone says nothing about who set the account up; a
 * reset is still to be completed.
 */
async function configuredProof(
  ctx: CommandContext,
  userId: string,
  adminEmail: string,
): Promise<Exclude<ProofKind, 'link'> | null> {
  if ((await firstOwner(ctx, adminEmail)) !== userId) return null;
  const { state, events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const registered = events.find((event) => isOf(event, 'AccountRegistered'));
  if (state.status !== 'active' || state.emailProof !== 'confirmed' || registered?.data.email !== adminEmail)
    return null;
  return state.provenBy === 'link' ? null : state.provenBy;
}

/**
 * The first account that held and proved the address. An address's stream outlives its accounts: anyone who takes over
 * an address that the admin gave up, by a change or with the account, is a stranger.
 */
async function firstOwner(ctx: CommandContext, email: string): Promise<string | null> {
  const { events } = await loadHistory(ctx.store, emailDecider, emailStreamOf(email));
  return events.find((event) => isOf(event, 'EmailClaimed') && event.data.proven)?.data.userId ?? null;
}

/** The first claim wins; returns its account. */
async function claimFor(ctx: CommandContext, userId: string): Promise<string> {
  const { state } = await handle(ctx, installationDecider, INSTALLATION_STREAM, {
    type: 'ClaimInstallation',
    userId,
    at: ctx.now(),
  });
  return state.userId ?? userId;
}

async function mayAdminister(ctx: CommandContext, userId: string): Promise<boolean> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  return state.status === 'active' && !state.isAdmin;
}

/**
 * Whether somebody has signed up: if not, and no admin address is configured, the next one administers the
 * installation.
 */
export const hasFirstAccount = async (store: CommandContext['store']): Promise<boolean> =>
  (await firstAccount({ store })) !== null;

/**
 * The account that claimed the installation, otherwise the earliest account that holds its address. Only a few are
 * read, and the result is deterministic.
 */
async function firstAccount({ store }: Pick<CommandContext, 'store'>): Promise<string | null> {
  const { state } = await loadState(store, installationDecider, INSTALLATION_STREAM);
  if (state.userId !== null) return state.userId;
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: 100, filter: { types: ['AccountRegistered'] } });
    for (const { data } of eventsOf(page.events, 'AccountRegistered')) {
      const { userId, email } = data;
      const claim = await loadState(store, emailDecider, emailStreamOf(email));
      if (claim.state.userId === userId) return userId;
    }
    if (page.end) return null;
    after = page.next;
  }
}
