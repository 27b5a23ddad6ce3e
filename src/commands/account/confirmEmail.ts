import type { ActiveAccount } from '../../domain/account/account.ts';
import { confirmationInvalid, openConfirmation } from '../../domain/account/confirmation.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { effectOfProof, type ProofKind } from '../../domain/account/proof.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';
import { changeEmail } from './changeEmail.ts';
import { claimInstallation } from './claimInstallation.ts';
import { proveEmail } from './proveEmail.ts';

/** `moves`: the link is to an address that the account would move to, not to its own. */
export type OpenedConfirmation = { readonly account: ActiveAccount; readonly email: string; readonly moves: boolean };

/** The account of an emailed link. Changes nothing. @throws DomainError CONFIRMATION_INVALID */
export async function openEmailConfirmation(
  ctx: Pick<CommandContext, 'store' | 'now'>,
  { token }: { readonly token: string },
): Promise<OpenedConfirmation> {
  const userId = idInToken(token);
  if (userId === null) throw confirmationInvalid();
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw confirmationInvalid();
  const { email } = openConfirmation(account.confirmations, hashToken(token), ctx.now());
  return { account, email, moves: email !== account.email };
}

/**
 * Uses an emailed link, once: proves the account's own address, or moves the account to the address it requested. An
 * account that held that address without proof loses it. `by`: what whoever opened the link has shown; the link alone
 * does nothing.
 * @throws DomainError CONFIRMATION_INVALID; EMAIL_TAKEN when another account has proven the address
 */
export async function confirmEmail(
  ctx: CommandContext,
  input: { readonly token: string; readonly by: ProofKind; readonly adminEmail?: string | undefined },
): Promise<{ readonly userId: string; readonly email: string; readonly position: Position }> {
  const { token, by, adminEmail } = input;
  const { account, email, moves } = await openEmailConfirmation(ctx, { token });
  const { userId, provenBy } = account;
  if (!effectOfProof(provenBy, by).counts) throw confirmationInvalid();
  if (moves) await changeEmail(ctx, { userId, email, tokenHash: hashToken(token), by });
  else {
    await proveEmail(ctx, { userId, email, by });
    if (adminEmail !== undefined) await claimInstallation(ctx, { userId, adminEmail });
  }
  const { position } = await loadState(ctx.store, accountDecider, accountStream(userId));
  return { userId, email, position };
}
