import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { VerifyPassword } from '../account/checkPassword.ts';
import { emailStreamOf } from '../account/emailStreamOf.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { requiredEnrolment } from '../secondFactor/secondFactor.ts';
import { endSession } from './endSession.ts';

type Refused = (userId: string | null) => void;

type LoggedIn = Pick<ActiveAccount, 'userId' | 'passwordHash' | 'email' | 'emailProof'> & {
  readonly position: Position;
};

/**
 * Checks a password. Writes nothing: a separate command starts the session. `verifyPassword` is also called for unknown
 * addresses, with null, so that both cases take the same time.
 * @throws DomainError INVALID_CREDENTIALS, the same for an unknown address and a wrong password; ACCOUNT_DISABLED
 */
export async function logIn(
  ctx: Pick<CommandContext, 'store'>,
  input: {
    readonly email: string;
    readonly password: string;
    readonly verifyPassword: VerifyPassword;
    /** Called before a refusal is thrown; null: the address has no account. */
    readonly refused?: Refused;
  },
): Promise<LoggedIn> {
  const claim = await loadState(ctx.store, emailDecider, emailStreamOf(input.email));
  return checkCredentials(ctx, { ...input, userId: claim.state.userId });
}

/** The same for an account that is known otherwise; null: for none. */
export async function checkCredentials(
  ctx: Pick<CommandContext, 'store'>,
  {
    userId,
    password,
    verifyPassword,
    refused = () => undefined,
  }: {
    readonly userId: string | null;
    readonly password: string;
    readonly verifyPassword: VerifyPassword;
    readonly refused?: Refused;
  },
): Promise<LoggedIn> {
  const account = userId === null ? null : await loadState(ctx.store, accountDecider, accountStream(userId));
  const known = account?.state.status === 'active' ? account.state : null;
  const right = await verifyPassword(known?.passwordHash ?? null, password);
  if (!account || !known || !right) {
    refused(known && userId);
    throw invalidCredentials();
  }
  if (known.isDisabled) throw accountDisabled();
  const { passwordHash, email, emailProof } = known;
  return { userId: known.userId, passwordHash, email, emailProof, position: account.position };
}

/**
 * Called once the session is open: ends it if the password changed, the account was disabled or the second factor was
 * turned on or replaced during the check, because those end only sessions that started before them. `enrolmentId`: the
 * enrollment that a code was shown of; null without a code. Returns whether the session stays: if not, a code is
 * needed. @throws DomainError INVALID_CREDENTIALS, ACCOUNT_DISABLED
 */
export async function confirmLogIn(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly passwordHash: string | null;
    readonly sessionId: string;
    readonly enrolmentId: string | null;
  },
): Promise<boolean> {
  const { userId, passwordHash, sessionId, enrolmentId } = input;
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  const isRight = state.status === 'active' && state.passwordHash === passwordHash;
  const hasShownCode = (await requiredEnrolment(ctx, userId)) === enrolmentId;
  if (isRight && !state.isDisabled && hasShownCode) return true;
  await endSession(ctx, { sessionId, userId, reason: isRight ? 'revoked' : 'password_changed' });
  if (isRight && !state.isDisabled) return false;
  if (isRight) throw accountDisabled();
  throw invalidCredentials();
}

const invalidCredentials = (): DomainError => new DomainError('INVALID_CREDENTIALS', 'Invalid email or password');
