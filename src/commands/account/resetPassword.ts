import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { resetInvalid } from '../../domain/account/recovery.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';

/** A new password by the link of the mail, once; the sessions are ended by `endSessions`. @throws DomainError RESET_INVALID */
export async function resetPassword(
  ctx: CommandContext,
  input: { readonly accessToken: string; readonly passwordHash: string },
): Promise<{ readonly userId: string; readonly position: Position }> {
  const userId = idInToken(input.accessToken);
  if (userId === null) throw resetInvalid();
  const accessTokenHash = hashToken(input.accessToken);
  const command = { type: 'ResetPassword', accessTokenHash, passwordHash: input.passwordHash, at: ctx.now() } as const;
  const { position } = await handle(ctx, accountDecider, accountStream(userId), command).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'ACCOUNT_NOT_FOUND' ? resetInvalid() : error;
  });
  return { userId, position };
}
