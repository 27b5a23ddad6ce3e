import { accountStream } from '../../domain/account/account.ts';
import { confirmationInvalid, openConfirmation } from '../../domain/account/confirmation.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';
import { changeEmail } from './changeEmail.ts';
import { claimInstallation } from './claimInstallation.ts';
import { proveEmail } from './proveEmail.ts';

/**
 * Uses an emailed link, once: proves the account's own address, or moves the account to the address it requested. An account that held that address
 * without proof loses it.
 * @throws DomainError CONFIRMATION_INVALID; EMAIL_TAKEN when another account has proven the address
 */
export async function confirmEmail(
  ctx: CommandContext,
  input: { readonly token: string; readonly adminEmail?: string | undefined },
): Promise<{ readonly userId: string; readonly email: string; readonly position: Position }> {
  const userId = idInToken(input.token);
  if (userId === null) throw confirmationInvalid();
  const stream = accountStream(userId);
  const { state } = await loadState(ctx.store, accountDecider, stream);
  if (state.status !== 'active') throw confirmationInvalid();
  const tokenHash = hashToken(input.token);
  const { email } = openConfirmation(state.confirmations, tokenHash, ctx.now());
  if (email === state.email) {
    await proveEmail(ctx, { userId, email });
    if (input.adminEmail !== undefined) await claimInstallation(ctx, { userId, adminEmail: input.adminEmail });
  } else await changeEmail(ctx, { userId, email, tokenHash });
  const { position } = await loadState(ctx.store, accountDecider, stream);
  return { userId, email, position };
}
