/**
 * Records that an account has proven its address: first in the address's stream, which decides between competing
 * accounts, then in theirs.
 */

import type { AccountState } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { ProofKind } from '../../domain/account/proof.ts';
import { DomainError } from '../../domain/decider.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * For the account's own address. `by` is absent only for what earlier versions began. Safe to repeat.
 * @throws DomainError EMAIL_TAKEN when another account has proven it
 */
export async function proveEmail(
  ctx: CommandContext,
  { userId, email, by }: { readonly userId: string; readonly email: string; readonly by?: ProofKind },
): Promise<void> {
  const stream = emailStreamOf(email);
  const refusal = await handle(ctx, emailDecider, stream, {
    type: 'ProveEmail',
    userId,
    at: ctx.now(),
    ...(by ? { by } : {}),
  }).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal !== null && !(refusal instanceof DomainError)) throw refusal;
  await settleProof(ctx, stream);
  if (refusal !== null) throw refusal;
}

/**
 * Propagates the address's stream to the accounts: which one has proven it, and which have therefore lost it. Safe to
 * repeat: the address-change follower does so where a command crashed before.
 */
export async function settleProof(ctx: CommandContext, stream: string): Promise<void> {
  const { state: claim } = await loadState(ctx.store, emailDecider, stream);
  if (!claim.proven) return;
  for (const { userId } of claim.wanted) {
    const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
    if (!hasForItsOwn(account, stream)) continue;
    const { email } = account;
    const command =
      userId === claim.userId
        ? ({ type: 'ConfirmEmail', email, ...(claim.by ? { by: claim.by } : {}) } as const)
        : ({ type: 'LoseEmail', email } as const);
    await handle(ctx, accountDecider, accountStream(userId), { ...command, at: ctx.now() });
  }
}

function hasForItsOwn(
  account: AccountState,
  stream: string,
): account is Extract<AccountState, { readonly status: 'active' }> {
  return account.status === 'active' && emailStreamOf(account.email) === stream;
}
