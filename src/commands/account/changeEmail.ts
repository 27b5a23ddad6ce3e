import { type AccountState, accountStream, normaliseEmail } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';

type Wish = { readonly userId: string; readonly email: string };

/**
 * Three streams, in this order: the account says which address it wants, the claim of that address, the account's change (the commit
 * point), the release of the former one. A crash in between is made good by a repeat, or by the follower of address changes, which may be
 * faster than this at any step. The password was checked before.
 * @throws DomainError EMAIL_TAKEN, ACCOUNT_NOT_FOUND, EMAIL_CHANGE_SUPERSEDED
 */
export async function changeEmail(ctx: CommandContext, input: Wish): Promise<{ readonly position: Position }> {
  const email = normaliseEmail(input.email);
  await handle(ctx, accountDecider, accountStream(input.userId), { type: 'AskEmailChange', email, at: ctx.now() });
  return finishEmailChange(ctx, { userId: input.userId, email });
}

/** From the claim on. Safe to repeat, and to do twice at the same time. */
export async function finishEmailChange(ctx: CommandContext, { userId, email }: Wish): Promise<{ readonly position: Position }> {
  const stream = accountStream(userId);
  try {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ClaimEmail', userId, at: ctx.now() });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await handle(ctx, accountDecider, stream, { type: 'RefuseEmailChange', email, at: ctx.now() });
    throw error;
  }
  try {
    const { position, events } = await handle(ctx, accountDecider, stream, { type: 'ChangeEmail', email, at: ctx.now() });
    for (const event of events) if (event.type === 'AccountEmailChanged') await releaseUnlessUsed(ctx, { userId, email: event.data.formerEmail });
    return { position };
  } catch (error) {
    if (error instanceof DomainError) await releaseUnlessUsed(ctx, { userId, email });
    throw error;
  }
}

/** Lets go of an address unless it is the account's, or is about to be. */
export function releaseUnlessUsed(ctx: CommandContext, { userId, email }: Wish): Promise<void> {
  return releaseClaimUnlessUsed(ctx, { userId, stream: emailStreamOf(email) });
}

/** The same for who knows only the stream of the claim. */
export async function releaseClaimUnlessUsed(ctx: CommandContext, { userId, stream }: { readonly userId: string; readonly stream: string }): Promise<void> {
  const isUsed = async (): Promise<boolean> => uses((await loadState(ctx.store, accountDecider, accountStream(userId))).state, stream);
  if (await isUsed()) return;
  await handle(ctx, emailDecider, stream, { type: 'ReleaseEmail', userId, at: ctx.now() });
  // Two streams cannot be looked at at once: wanted again meanwhile, it may have been taken for claimed.
  if (await isUsed())
    await handle({ ...ctx, commandId: derivedId(ctx.commandId, 'again') }, emailDecider, stream, { type: 'ClaimEmail', userId, at: ctx.now() });
}

function uses(account: AccountState, stream: string): boolean {
  if (account.status !== 'active') return false;
  return [account.email, account.nextEmail].some((email) => email !== null && emailStreamOf(email) === stream);
}
