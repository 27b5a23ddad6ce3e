import { accountDecider } from '../../domain/account/decide.ts';
import { type AccountEvent, accountStream } from '../../domain/account/events.ts';
import { apiKeysDecider } from '../../domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../domain/apiKeys/events.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider } from '../../domain/logIn/logIn.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { secondFactorDecider } from '../../domain/secondFactor/secondFactor.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { webhooksStream } from '../../domain/webhooks/events.ts';
import { webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import { comparePositions, type Position, type Recorded, START } from '../../eventStore/eventStore.ts';
import { revokeApiKey } from '../apiKeys/revokeApiKey.ts';
import type { CommandContext } from '../context.ts';
import { loadHistory } from '../handle.ts';
import { unlinkIdentity } from '../logIn/identities.ts';
import { removePasskey } from '../logIn/passkeys.ts';
import { removeSecondFactor } from '../secondFactor/secondFactor.ts';
import { switchWebhook } from '../webhooks/webhooks.ts';

/**
 * Carries out what the account's last such reset, or proof by mail, ordered: revokes the API keys, turns off the
 * webhooks and removes the second factor, passkeys and identities that were set up before the address was proven, so
 * that the person who reads its email neither shares the account with a stranger nor needs their codes. What came first is decided by positions in the log, so there are
 * no ties and no clocks to compare. Called once the sessions have ended; after a crash in between, by the follower.
 * Safe to repeat.
 */
export async function endFormerAccess(
  ctx: CommandContext,
  { userId }: { readonly userId: string },
): Promise<{ readonly position: Position }> {
  const { state: account, events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const before = account.status === 'active' ? orderedBefore(events) : null;
  if (before === null) return { position: START };
  const isFormer = ({ position }: { readonly position: Position }): boolean => comparePositions(position, before) < 0;
  const positions: Position[] = [START];

  const keys = await loadHistory(ctx.store, apiKeysDecider, apiKeysStream(userId));
  for (const event of keys.events.filter(isFormer)) {
    if (!isOf(event, 'ApiKeyCreated') || !Object.hasOwn(keys.state.keys, event.data.keyId)) continue;
    positions.push((await revokeApiKey(ctx, { userId, keyId: event.data.keyId })).position);
  }

  const webhooks = await loadHistory(ctx.store, webhooksDecider, webhooksStream(userId));
  for (const { endpointId, active } of Object.values(webhooks.state.endpoints)) {
    // Turned on again since, it was set up since.
    const last = webhooks.events.findLast(
      (event) => isOf(event, 'WebhookAdded', 'WebhookEnabled') && event.data.endpointId === endpointId,
    );
    if (active && last && isFormer(last))
      positions.push((await switchWebhook(ctx, { userId, endpointId, on: false, reason: 'owner' })).position);
  }

  const factor = await loadHistory(ctx.store, secondFactorDecider, secondFactorStream(userId));
  const { pending, enabled } = factor.state;
  const setUp = factor.events.findLast((event) =>
    isOf(event, enabled ? 'SecondFactorEnabled' : 'SecondFactorEnrolmentBegun'),
  );
  if ((pending || enabled) && setUp && isFormer(setUp))
    positions.push((await removeSecondFactor(ctx, { userId, reason: 'owner' })).position);

  const ways = await loadHistory(ctx.store, logInDecider, logInStream(userId));
  const former = { userId, reason: 'former_access', hasOtherWay: true } as const;
  for (const passkeyId of Object.keys(ways.state.passkeys)) {
    const added = ways.events.findLast((event) => isOf(event, 'PasskeyAdded') && event.data.passkeyId === passkeyId);
    if (added && isFormer(added)) positions.push((await removePasskey(ctx, { ...former, passkeyId })).position);
  }
  for (const identityId of Object.keys(ways.state.identities)) {
    // Added again since, it has the same id.
    const linked = ways.events.findLast(
      (event) => isOf(event, 'IdentityLinked') && event.data.identityId === identityId,
    );
    if (linked && isFormer(linked)) positions.push((await unlinkIdentity(ctx, { ...former, identityId })).position);
  }
  return { position: positions.sort(comparePositions).at(-1) ?? START };
}

/** Null if neither a reset nor a proof by mail ordered it. */
function orderedBefore(events: readonly Recorded<AccountEvent>[]): Position | null {
  const at = events.findLastIndex(
    (event) =>
      isOf(event, 'AccountProvenByMail') ||
      (isOf(event, 'PasswordResetUsed') && event.data.endsSetUpBefore !== undefined),
  );
  const order = events[at];
  if (!order || !isOf(order, 'PasswordResetUsed', 'AccountProvenByMail')) return null;
  if (order.data.endsSetUpBefore === 'this_proof') return order.position;
  const proof = events.slice(0, at).findLast((event) => isOf(event, 'AccountEmailConfirmed', 'AccountEmailChanged'));
  return proof?.position ?? order.position;
}
