import type { AccountState } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, emailTaken } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { ProofKind } from '../../domain/account/proof.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { proveEmail } from './proveEmail.ts';

type RequestedEmail = { readonly userId: string; readonly email: string };

/**
 * Moves to an address that the account has proven by the link with that token (`by`: how), or (without one) where no
 * proof is required. Order of writes: the account announces the new address, the address is claimed, the account
 * changes (the commit point), the former address is released. A crash in between is recovered by a retry, or by the
 * address-change follower, which may overtake this function at any step. An account that held the proven address
 * without proof loses it.
 * @throws DomainError EMAIL_TAKEN, ACCOUNT_NOT_FOUND, EMAIL_CHANGE_SUPERSEDED, CONFIRMATION_INVALID
 */
export async function changeEmail(
  ctx: CommandContext,
  input: RequestedEmail & { readonly tokenHash?: string; readonly by?: ProofKind },
): Promise<{ readonly position: Position }> {
  const { userId, tokenHash, by = 'unasked' } = input;
  const email = normaliseEmail(input.email);
  if (tokenHash === undefined) await refuseHeld(ctx, { userId, email });
  const proof = tokenHash === undefined ? {} : { tokenHash };
  await handle(ctx, accountDecider, accountStream(userId), {
    type: 'RequestEmailChange',
    email,
    at: ctx.now(),
    by,
    ...proof,
  });
  return finishEmailChange(ctx, { userId, email });
}

async function refuseHeld(ctx: CommandContext, { userId, email }: RequestedEmail): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (state.userId !== null && state.userId !== userId) throw emailTaken();
}

/** Continues from the claim. Safe to repeat, and to run concurrently. */
export async function finishEmailChange(
  ctx: CommandContext,
  { userId, email }: RequestedEmail,
): Promise<{ readonly position: Position }> {
  const stream = accountStream(userId);
  try {
    const { state } = await loadState(ctx.store, accountDecider, stream);
    const by = state.status === 'active' && state.nextEmail === email ? state.nextProvenBy : null;
    await proveEmail(ctx, { userId, email, ...(by ? { by } : {}) });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await handle(ctx, accountDecider, stream, { type: 'RefuseEmailChange', email, at: ctx.now() });
    throw error;
  }
  try {
    const { position, events } = await handle(ctx, accountDecider, stream, {
      type: 'ChangeEmail',
      email,
      at: ctx.now(),
    });
    for (const event of events)
      if (event.type === 'AccountEmailChanged') await releaseUnlessUsed(ctx, { userId, email: event.data.formerEmail });
    return { position };
  } catch (error) {
    if (error instanceof DomainError) await releaseUnlessUsed(ctx, { userId, email });
    throw error;
  }
}

/** Releases an address unless the account uses it or is about to. */
export function releaseUnlessUsed(ctx: CommandContext, { userId, email }: RequestedEmail): Promise<void> {
  return releaseClaimUnlessUsed(ctx, { userId, stream: emailStreamOf(email) });
}

/** The same for callers that know only the claim's stream. */
export async function releaseClaimUnlessUsed(
  ctx: CommandContext,
  { userId, stream }: { readonly userId: string; readonly stream: string },
): Promise<void> {
  const readPurpose = async (): Promise<Purpose> =>
    purposeOf((await loadState(ctx.store, accountDecider, accountStream(userId))).state, stream);
  if (await readPurpose()) return;
  await handle(ctx, emailDecider, stream, { type: 'ReleaseEmail', userId, at: ctx.now() });
  // Two streams cannot be read atomically: if the account wanted the address again meanwhile, it may have considered it
  // claimed.
  const wanted = await readPurpose();
  if (wanted === null) return;
  const again = { ...ctx, commandId: derivedId(ctx.commandId, 'again') };
  const claim =
    wanted === 'proven' ? ({ type: 'ProveEmail' } as const) : ({ type: 'ClaimEmail', proven: false } as const);
  await handle(again, emailDecider, stream, { ...claim, userId, at: ctx.now() });
}

/** Why an account holds an address; null if it does not need it. */
type Purpose = 'proven' | 'unproven' | null;

function purposeOf(account: AccountState, stream: string): Purpose {
  if (account.status !== 'active') return null;
  const { email, emailProof, nextEmail } = account;
  if (nextEmail !== null && emailStreamOf(nextEmail) === stream) return 'proven';
  if (emailStreamOf(email) !== stream) return null;
  return emailProof === 'confirmed' ? 'proven' : 'unproven';
}
