import { apiKeysDecider, apiKeysStream } from '../../domain/apiKeys/apiKeys.ts';
import { webhooksDecider, webhooksStream } from '../../domain/webhooks/webhooks.ts';
import { comparePositions, type Position, START } from '../../eventStore/eventStore.ts';
import { revokeApiKey } from '../apiKeys/revokeApiKey.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { removeSecondFactor } from '../secondFactor/secondFactor.ts';
import { switchWebhook } from '../webhooks/webhooks.ts';

/**
 * Revokes every API key, turns off every webhook and removes the second factor after the sessions have ended: someone who takes over, through its email
 * address, an account that a stranger may have created must neither share it with them nor need their codes. Safe to repeat.
 */
export async function endFormerAccess(ctx: CommandContext, { userId }: { readonly userId: string }): Promise<{ readonly position: Position }> {
  const positions: Position[] = [START];
  const { state: keys } = await loadState(ctx.store, apiKeysDecider, apiKeysStream(userId));
  for (const keyId of Object.keys(keys.keys)) positions.push((await revokeApiKey(ctx, { userId, keyId })).position);
  const { state: webhooks } = await loadState(ctx.store, webhooksDecider, webhooksStream(userId));
  for (const endpointId of Object.keys(webhooks.endpoints))
    positions.push((await switchWebhook(ctx, { userId, endpointId, on: false, reason: 'owner' })).position);
  positions.push((await removeSecondFactor(ctx, { userId, reason: 'owner' })).position);
  return { position: positions.sort(comparePositions).at(-1) ?? START };
}
