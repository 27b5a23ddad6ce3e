import { type AccountState, accountStream, normaliseEmail } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, emailTaken } from '../../domain/account/email.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { proveEmail } from './proveEmail.ts';

type Wish = { readonly userId: string; readonly email: string };

/**
 * To an address that the account has proven, or (without `isProven`) where nobody is asked for a proof. Three streams, in this order: the account says which address it gets, the claim of that address, the account's change (the commit
 * point), the release of the former one. A crash in between is made good by a repeat, or by the follower of address changes, which may be
 * faster than this at any step. Who held a proven address without a proof has it no more.
 * @throws DomainError EMAIL_TAKEN, ACCOUNT_NOT_FOUND, EMAIL_CHANGE_SUPERSEDED
 */
export async function changeEmail(ctx: CommandContext, input: Wish & { readonly isProven?: boolean }): Promise<{ readonly position: Position }> {
  const email = normaliseEmail(input.email);
  if (!input.isProven) await refuseHeld(ctx, { userId: input.userId, email });
  await handle(ctx, accountDecider, accountStream(input.userId), { type: 'AskEmailChange', email, at: ctx.now() });
  return finishEmailChange(ctx, { userId: input.userId, email });
}

async function refuseHeld(ctx: CommandContext, { userId, email }: Wish): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (state.userId !== null && state.userId !== userId) throw emailTaken();
}

/** From the claim on. Safe to repeat, and to do twice at the same time. */
export async function finishEmailChange(ctx: CommandContext, { userId, email }: Wish): Promise<{ readonly position: Position }> {
  const stream = accountStream(userId);
  try {
    await proveEmail(ctx, { userId, email });
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
  const readPurpose = async (): Promise<Purpose> => purposeOf((await loadState(ctx.store, accountDecider, accountStream(userId))).state, stream);
  if (await readPurpose()) return;
  await handle(ctx, emailDecider, stream, { type: 'ReleaseEmail', userId, at: ctx.now() });
  // Two streams cannot be looked at at once: wanted again meanwhile, it may have been taken for claimed.
  const wanted = await readPurpose();
  if (wanted === null) return;
  const again = { ...ctx, commandId: derivedId(ctx.commandId, 'again') };
  const claim = wanted === 'proven' ? ({ type: 'ProveEmail' } as const) : ({ type: 'ClaimEmail', proven: false } as const);
  await handle(again, emailDecider, stream, { ...claim, userId, at: ctx.now() });
}

/** What an account has an address for; null: for nothing. */
type Purpose = 'proven' | 'unproven' | null;

function purposeOf(account: AccountState, stream: string): Purpose {
  if (account.status !== 'active') return null;
  const { email, emailProof, nextEmail } = account;
  if (nextEmail !== null && emailStreamOf(nextEmail) === stream) return 'proven';
  if (emailStreamOf(email) !== stream) return null;
  return emailProof === 'confirmed' ? 'proven' : 'unproven';
}
