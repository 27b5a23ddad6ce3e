import { type AccountState, accountStream, normaliseEmail } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import type { Campaign } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { claimInstallation } from './claimInstallation.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { voidAccount } from './voidAccount.ts';

export type SignUp = {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** The account that signs up with it becomes admin, and no other. Without it: the first account of the installation. */
  readonly adminEmail?: string | undefined;
  readonly campaign?: Campaign | undefined;
};

/**
 * Three streams, in this order: the account, the claim of its address (from then on it exists: nobody can log in before), the
 * right to administer. A crash after the first leaves an account that nobody can use: a sweep removes it, or a repeat with the same command
 * id finishes it. A crash after the second is made good by `claimInstallation`, from the next sign-up or the follower of claims.
 * @throws DomainError EMAIL_TAKEN; SIGN_UP_EXPIRED when a repeat comes after the sweep
 */
export async function signUp(ctx: CommandContext, input: SignUp): Promise<{ readonly userId: string; readonly isAdmin: boolean; readonly position: Position }> {
  const email = normaliseEmail(input.email);
  const userId = derivedId(ctx.commandId, 'account', email);
  const stream = accountStream(userId);
  await refuseTaken(ctx, email, userId);
  await register(ctx, stream, { ...input, email, userId });
  await claim(ctx, email, userId);
  await claimInstallation(ctx, { userId, adminEmail: input.adminEmail });
  const { state, position } = await loadState(ctx.store, accountDecider, stream);
  return { userId, isAdmin: isAdmin(state), position };
}

function isAdmin(state: AccountState): boolean {
  return state.status === 'active' && state.isAdmin;
}

/** The usual case of a taken address, before anything is written. */
async function refuseTaken(ctx: CommandContext, email: string, userId: string): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (state.userId !== null && state.userId !== userId) throw emailTaken();
}

async function register(ctx: CommandContext, stream: string, account: SignUp & { readonly userId: string }): Promise<void> {
  const { userId, email, name, passwordHash, campaign } = account;
  try {
    const from = campaign ? { campaign } : {};
    await handle(ctx, accountDecider, stream, { type: 'RegisterAccount', userId, email, name, passwordHash, at: ctx.now(), ...from });
  } catch (error) {
    if (!(error instanceof StreamDeleted)) throw error;
    throw new DomainError('SIGN_UP_EXPIRED', 'This sign-up took too long. Please sign up again.');
  }
}

/** Of two who want the same address at once, one gets it; the other's account is removed again. */
async function claim(ctx: CommandContext, email: string, userId: string): Promise<void> {
  try {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ClaimEmail', userId, at: ctx.now() });
  } catch (error) {
    if (error instanceof DomainError) await voidAccount(ctx, { userId, email });
    throw error;
  }
}

function emailTaken(): DomainError {
  return new DomainError('EMAIL_TAKEN', 'An account with this email already exists.');
}
