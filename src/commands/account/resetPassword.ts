import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { openReset, resetInvalid } from '../../domain/account/recovery.ts';
import { DomainError } from '../../domain/decider.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';
import { claimInstallation } from './claimInstallation.ts';
import { proveEmail } from './proveEmail.ts';

/**
 * Sets a new password using an emailed link, once. Using the link also proves the account's address. What ends with it
 * is recorded and then carried out: the sessions by `endSessions`, the rest by `endFormerAccess`. @throws DomainError
 * RESET_INVALID
 */
export async function resetPassword(
  ctx: CommandContext,
  input: { readonly accessToken: string; readonly passwordHash: string; readonly adminEmail?: string | undefined },
): Promise<{ readonly userId: string; readonly position: Position }> {
  const userId = idInToken(input.accessToken);
  if (userId === null) throw resetInvalid();
  const accessTokenHash = hashToken(input.accessToken);
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  const provesAddress = state.status === 'active' && state.emailProof === 'unconfirmed';
  if (provesAddress) {
    openReset(state.resets, { accessTokenHash }, ctx.now());
    await proveEmail(ctx, { userId, email: state.email, by: 'reset' }).catch((error: unknown) => {
      // Another account has proven the address by now and receives its email.
      throw error instanceof DomainError ? resetInvalid() : error;
    });
  }
  const command = { type: 'ResetPassword', accessTokenHash, passwordHash: input.passwordHash, at: ctx.now() } as const;
  const { events, position } = await handle(ctx, accountDecider, accountStream(userId), command).catch(
    (error: unknown) => {
      throw error instanceof DomainError && error.code === 'ACCOUNT_NOT_FOUND' ? resetInvalid() : error;
    },
  );
  if (input.adminEmail !== undefined && events.some(isProof))
    await claimInstallation(ctx, { userId, adminEmail: input.adminEmail });
  return { userId, position };
}

/** Whether the reset is what proves the address: a later one grants nothing. */
export const isProof = (event: { readonly type: string; readonly data: object }): boolean =>
  isOf(event, 'PasswordResetUsed') && event.data.endsSetUpBefore === 'this_proof';
