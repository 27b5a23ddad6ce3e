/** Logging in with an identity at a provider, and the account that its first use creates. */
import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { ProofKind } from '../../domain/account/proof.ts';
import { DomainError } from '../../domain/decider.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider } from '../../domain/logIn/logIn.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { emailStreamOf } from '../account/emailStreamOf.ts';
import { grantAdmin } from '../account/grantAdmin.ts';
import { proveEmail } from '../account/proveEmail.ts';
import { type ListAdmins, revokeAdmin } from '../account/revokeAdmin.ts';
import { signUp } from '../account/signUp.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { accountOfIdentity, identityIdOf, linkIdentity, type ProviderIdentity } from './identities.ts';

type Entering = {
  readonly identity: ProviderIdentity;
  /** Whether the provider says that the address is this person's. */
  readonly emailVerified: boolean;
  readonly name: string;
  /** The provider's name, for texts. */
  readonly label: string;
  readonly createsAccounts: boolean;
  readonly adminEmail?: string | undefined;
};

/**
 * An account that has the identity is opened; an address alone never opens one, since whoever runs a provider could
 * claim any. Without such an account, a verified address that no account has proven gets a new one.
 * @throws DomainError IDENTITY_UNVERIFIED, IDENTITY_NOT_LINKED, IDENTITY_UNKNOWN, ACCOUNT_DISABLED
 */
export async function enterByProvider(
  ctx: CommandContext,
  input: Entering,
): Promise<{ readonly account: ActiveAccount; readonly isNew: boolean; readonly position: Position }> {
  const known = await noteUse(ctx, input.identity);
  if (known) return { ...known, isNew: false };
  const { identity, emailVerified, label } = input;
  if (identity.email === null || !emailVerified) {
    const text = `${label} doesn’t say that your email address is yours, so it can’t be used to log in here.`;
    throw new DomainError('IDENTITY_UNVERIFIED', text);
  }
  const { state: claim } = await loadState(ctx.store, emailDecider, emailStreamOf(identity.email));
  if (claim.userId !== null && claim.proven) {
    if (!(await isHalfMade(ctx, claim.userId, claim.by))) throw notLinked(label);
    await proveEmail(ctx, { userId: claim.userId, email: identity.email, by: 'provider' });
    const { position } = await linkIdentity(ctx, { ...identity, userId: claim.userId });
    return { account: await activeAccount(ctx, claim.userId), isNew: true, position };
  }
  if (!input.createsAccounts) {
    const text = `No account here uses this identity. Log in another way or sign up, then add ${label} on your account page.`;
    throw new DomainError('IDENTITY_UNKNOWN', text);
  }
  const { email } = identity;
  const { name, adminEmail } = input;
  const account = { email, name, passwordHash: null, asksProof: true, provenBy: 'provider', adminEmail } as const;
  const { userId } = await signUp(ctx, account).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'EMAIL_TAKEN' ? notLinked(label) : error;
  });
  const { position } = await linkIdentity(ctx, { ...identity, userId });
  return { account: await activeAccount(ctx, userId), isNew: true, position };
}

async function noteUse(ctx: CommandContext, identity: ProviderIdentity) {
  const userId = await accountOfIdentity(ctx, identity);
  if (userId === null) return null;
  const identityId = identityIdOf(userId, identity);
  const stream = logInStream(userId);
  const { state } = await loadState(ctx.store, logInDecider, stream);
  // Claimed, and then not added: the process ended in between.
  if (!Object.hasOwn(state.identities, identityId)) return null;
  const account = await activeAccount(ctx, userId);
  const { email } = identity;
  const command = { type: 'UseIdentity', userId, identityId, email, at: ctx.now() } as const;
  const { position } = await handle(ctx, logInDecider, stream, command);
  return { account, position };
}

/**
 * A provider proved its address, and it never had an identity: the process ended before it was added. Nobody has been in
 * it, and nobody else could get in.
 */
async function isHalfMade(ctx: CommandContext, userId: string, by: ProofKind | undefined): Promise<boolean> {
  if (by !== 'provider') return false;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  const { state, events } = await loadHistory(ctx.store, logInDecider, logInStream(userId));
  const hadWays = events.some((event) => isOf(event, 'IdentityLinked', 'PasskeyAdded', 'LogInMailUsed'));
  return account.status === 'active' && account.passwordHash === null && !state.closed && !hadWays;
}

async function activeAccount(ctx: CommandContext, userId: string): Promise<ActiveAccount> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw new DomainError('IDENTITY_UNKNOWN', 'No account here uses this identity.');
  if (state.isDisabled) throw accountDisabled();
  return state;
}

const notLinked = (label: string): DomainError =>
  new DomainError(
    'IDENTITY_NOT_LINKED',
    `An account with your email address already exists. Log in to it another way, then add ${label} on your account page.`,
  );

/**
 * Gives the admin right to members of the provider's group, and takes from others what it gave them: never what
 * something else gave, and never the last admin's. Returns what changed; null: nothing.
 */
export async function settleProviderAdmin(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly provider: string;
    readonly isMember: boolean;
    readonly adminEmail: string | null;
    readonly listAdmins: ListAdmins;
  },
): Promise<{ readonly isAdmin: boolean; readonly position: Position } | null> {
  const { userId, provider, isMember, adminEmail, listAdmins } = input;
  const state = await activeAccount(ctx, userId);
  const reason = 'provider';
  if (isMember && !state.isAdmin && !state.adminWithdrawn && state.emailProof === 'confirmed')
    return { isAdmin: true, ...(await grantAdmin(ctx, { userId, reason, provider })) };
  if (isMember || state.adminByProvider !== provider) return null;
  try {
    return { isAdmin: false, ...(await revokeAdmin(ctx, { userId, reason, provider, adminEmail, listAdmins })) };
  } catch (error) {
    if (error instanceof DomainError && ['LAST_ADMIN', 'ADMIN_CONFIGURED'].includes(error.code)) return null;
    throw error;
  }
}
