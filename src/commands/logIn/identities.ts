/** Identities at single sign-on providers: which account one opens, and adding and removing it. */
import { createHash } from 'node:crypto';
import { logInStream, providerIdentityStream } from '../../domain/logIn/events.ts';
import { identityClaimDecider } from '../../domain/logIn/identityClaim.ts';
import { identityNotFound, logInDecider, type RemovalOfWay } from '../../domain/logIn/logIn.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

/** What a provider says of a person: `subject` is theirs for good, at this `issuer`. */
export type ProviderIdentity = {
  /** The id of the provider's settings. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
};

const claimStream = ({ issuer, subject }: Pick<ProviderIdentity, 'issuer' | 'subject'>): string =>
  providerIdentityStream(
    createHash('sha256')
      .update(JSON.stringify([issuer, subject]))
      .digest('hex'),
  );

/** Names the identity within the account. */
export const identityIdOf = (userId: string, { issuer, subject }: ProviderIdentity): string =>
  derivedId(userId, issuer, subject);

/** The account that the identity opens; null if none has it. */
export async function accountOfIdentity(
  { store }: Pick<CommandContext, 'store'>,
  identity: ProviderIdentity,
): Promise<string | null> {
  return (await loadState(store, identityClaimDecider, claimStream(identity))).state.userId;
}

/**
 * The claim comes first: it decides between two accounts. After a crash in between, the owner adds it again.
 * @throws DomainError identity_already_exists, TOO_MANY_IDENTITIES, ACCOUNT_NOT_FOUND
 */
export async function linkIdentity(
  ctx: CommandContext,
  { userId, ...identity }: ProviderIdentity & { readonly userId: string },
): Promise<{ readonly identityId: string; readonly position: Position }> {
  const at = ctx.now();
  const identityId = identityIdOf(userId, identity);
  await handle(ctx, identityClaimDecider, claimStream(identity), { type: 'ClaimIdentity', userId, at });
  const command = { type: 'LinkIdentity', userId, identityId, ...identity, at } as const;
  try {
    const { position } = await handle(ctx, logInDecider, logInStream(userId), command);
    return { identityId, position };
  } catch (error) {
    await handle(ctx, identityClaimDecider, claimStream(identity), { type: 'ReleaseIdentity', userId, at });
    throw error;
  }
}

/**
 * The claim is released last, so that no other account gets the identity while this one has it. `hasOtherWay`: a
 * password, or emails with codes. @throws DomainError identity_not_found, single_identity_not_deletable
 */
export async function unlinkIdentity(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly identityId: string;
    readonly reason: RemovalOfWay;
    readonly hasOtherWay: boolean;
  },
): Promise<{ readonly provider: string; readonly position: Position }> {
  const { userId, identityId } = input;
  const stream = logInStream(userId);
  const identity = (await loadState(ctx.store, logInDecider, stream)).state.identities[identityId];
  if (!identity) throw identityNotFound();
  const { position } = await handle(ctx, logInDecider, stream, { type: 'UnlinkIdentity', ...input, at: ctx.now() });
  await handle(ctx, identityClaimDecider, claimStream(identity), { type: 'ReleaseIdentity', userId, at: ctx.now() });
  return { provider: identity.provider, position };
}
