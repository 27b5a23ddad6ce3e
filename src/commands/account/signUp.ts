import type { AccountState } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, emailTaken, mayWant } from '../../domain/account/email.ts';
import { accountStream, type Campaign } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { carryAllowance } from './carryAllowance.ts';
import { claimInstallation } from './claimInstallation.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { proveEmail } from './proveEmail.ts';
import { voidAccount } from './voidAccount.ts';

export type SignUp = {
  readonly email: string;
  readonly name: string;
  /** Null: none; the account is logged in to in other ways. */
  readonly passwordHash: string | null;
  /**
   * Only the account that signs up with this address and proves it becomes admin. If absent: the first account of the
   * installation.
   */
  readonly adminEmail?: string | undefined;
  readonly campaign?: Campaign | undefined;
  /**
   * Whether an email asks to confirm the address. Otherwise it counts as proven: where no email is sent, nobody could
   * prove it.
   */
  readonly asksProof?: boolean | undefined;
  /**
   * Somebody whom the operator trusts says that the address is this person's: it is proven at once, and whoever holds
   * it without proof loses it.
   */
  readonly provenBy?: 'provider' | undefined;
};

/**
 * Order of writes: the account, the claim of its address (it exists from then on: log-in is impossible before), its
 * earlier usage of the allowance under the same address, the right to administer. If another account holds the address
 * without proof, this one gets it, and can log in with it, once it proves it. A crash after the first write leaves an
 * unusable account: a sweep removes it, or a retry with the same command id completes it. A crash after the second is
 * recovered by the claim follower.
 * @throws DomainError EMAIL_TAKEN; SIGN_UP_EXPIRED when a retry comes after the sweep
 */
export async function signUp(
  ctx: CommandContext,
  input: SignUp,
): Promise<{ readonly userId: string; readonly isAdmin: boolean; readonly position: Position }> {
  const email = normaliseEmail(input.email);
  const userId = derivedId(ctx.commandId, 'account', email);
  const stream = accountStream(userId);
  const { provenBy } = input;
  const claimed = { userId, email, proven: !input.asksProof, provenBy };
  await refuseTaken(ctx, claimed);
  await register(ctx, stream, { ...input, email, userId });
  await claim(ctx, claimed);
  await carryAllowance(ctx, { userId, stream: emailStreamOf(email) });
  await claimInstallation(ctx, { userId, adminEmail: input.adminEmail });
  const { state, position } = await loadState(ctx.store, accountDecider, stream);
  return { userId, isAdmin: isAdmin(state), position };
}

function isAdmin(state: AccountState): boolean {
  return state.status === 'active' && state.isAdmin;
}

type Claim = {
  readonly userId: string;
  readonly email: string;
  readonly proven: boolean;
  readonly provenBy: SignUp['provenBy'];
};

/** Handles the usual case of a taken address before anything is written. */
async function refuseTaken(ctx: CommandContext, { email, ...who }: Claim): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  const isFree = who.provenBy ? !(state.userId && state.proven) : mayWant(state, { ...who, at: ctx.now() });
  if (!isFree) throw emailTaken();
}

async function register(
  ctx: CommandContext,
  stream: string,
  account: SignUp & { readonly userId: string },
): Promise<void> {
  const { userId, email, name, passwordHash, campaign, asksProof } = account;
  try {
    const more = {
      ...(campaign ? { campaign } : {}),
      ...(asksProof ? { confirmationId: derivedId(ctx.commandId, 'confirmation') } : {}),
    };
    await handle(ctx, accountDecider, stream, {
      type: 'RegisterAccount',
      userId,
      email,
      name,
      passwordHash,
      at: ctx.now(),
      ...more,
    });
  } catch (error) {
    if (!(error instanceof StreamDeleted)) throw error;
    throw new DomainError('SIGN_UP_EXPIRED', 'This sign-up took too long. Please sign up again.');
  }
}

/** If two sign-ups race for an address, one gets it; the other's account is removed. */
async function claim(ctx: CommandContext, { userId, email, proven, provenBy }: Claim): Promise<void> {
  try {
    if (provenBy) await proveEmail(ctx, { userId, email, by: provenBy });
    else await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ClaimEmail', userId, proven, at: ctx.now() });
  } catch (error) {
    if (error instanceof DomainError) await voidAccount(ctx, { userId, email });
    throw error;
  }
}
