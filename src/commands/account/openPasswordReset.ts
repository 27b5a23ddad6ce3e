import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { openReset, resetInvalid } from '../../domain/account/recovery.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';

export type OpenedReset = { readonly userId: string; readonly email: string; readonly expiresAt: string };

/**
 * The account of a reset link. Changes nothing, because link scanners in email clients must not use it up.
 * @throws DomainError RESET_INVALID
 */
export async function openPasswordReset(
  ctx: Pick<CommandContext, 'store' | 'now'>,
  input: { readonly accessToken: string; readonly refreshToken?: string },
): Promise<OpenedReset> {
  const userId = idInToken(input.accessToken);
  if (userId === null) throw resetInvalid();
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw resetInvalid();
  const shown = {
    accessTokenHash: hashToken(input.accessToken),
    ...(input.refreshToken === undefined ? {} : { refreshTokenHash: hashToken(input.refreshToken) }),
  };
  const { expiresAt } = openReset(state.resets, shown, ctx.now());
  return { userId, email: state.email, expiresAt: expiresAt ?? ctx.now() };
}
