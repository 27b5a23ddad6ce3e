import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { emailStreamOf } from '../account/emailStreamOf.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { endSession } from './endSession.ts';

/**
 * Checks a password. Writes nothing: the session is started by its own command.
 * `verifyPassword` is called for unknown addresses too, with null, so that both answers take alike long.
 * @throws DomainError INVALID_CREDENTIALS, alike for an unknown address and a wrong password
 */
export async function logIn(
  ctx: Pick<CommandContext, 'store'>,
  input: {
    readonly email: string;
    readonly password: string;
    readonly verifyPassword: (hash: string | null, password: string) => Promise<boolean>;
  },
): Promise<{ readonly userId: string; readonly passwordHash: string; readonly position: Position }> {
  const claim = await loadState(ctx.store, emailDecider, emailStreamOf(input.email));
  const account = claim.state.userId === null ? null : await loadState(ctx.store, accountDecider, accountStream(claim.state.userId));
  const known = account?.state.status === 'active' ? account.state : null;
  const right = await input.verifyPassword(known?.passwordHash ?? null, input.password);
  if (!account || !known || !right) throw invalidCredentials();
  return { userId: known.userId, passwordHash: known.passwordHash, position: account.position };
}

/**
 * Asked when the session is open: a password that was changed while it was being checked opens nothing, as the change ends only the sessions
 * that began before it. @throws DomainError INVALID_CREDENTIALS
 */
export async function confirmLogIn(
  ctx: CommandContext,
  input: { readonly userId: string; readonly passwordHash: string; readonly sessionId: string },
): Promise<void> {
  const { userId, passwordHash, sessionId } = input;
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status === 'active' && state.passwordHash === passwordHash) return;
  await endSession(ctx, { sessionId, userId, reason: 'password_changed' });
  throw invalidCredentials();
}

const invalidCredentials = (): DomainError => new DomainError('INVALID_CREDENTIALS', 'Invalid email or password');
