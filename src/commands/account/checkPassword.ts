import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider, wrongPassword } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';

export type VerifyPassword = (hash: string | null, password: string) => Promise<boolean>;

/** For actions where a stolen open session must not be enough. @throws DomainError WRONG_PASSWORD, ACCOUNT_NOT_FOUND */
export async function checkPassword(
  ctx: Pick<CommandContext, 'store'>,
  input: { readonly userId: string; readonly password: string; readonly verifyPassword: VerifyPassword },
): Promise<ActiveAccount & { readonly passwordHash: string }> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(input.userId));
  if (state.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const { passwordHash } = state;
  const isRight = await input.verifyPassword(passwordHash, input.password);
  if (!isRight || passwordHash === null) throw wrongPassword();
  return { ...state, passwordHash };
}
