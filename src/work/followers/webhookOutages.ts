/**
 * Records in a webhook's own stream when its messages begin to fail, and when one is delivered again: delivery streams
 * are deleted, and that information with them.
 */

import type { ContextOf } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { handle, loadState } from '../../commands/handle.ts';
import { deliveryDecider } from '../../domain/webhooks/delivery.ts';
import { deliveryStream, webhooksStream } from '../../domain/webhooks/events.ts';
import { webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createWebhookOutages({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'webhookOutages',
    types: ['WebhookTried'],
    begins: 'at_the_start',
    async follow(event) {
      const { deliveryId, endpointId, ok, triedAt } = event.data;
      const ctx = context(event);
      const { state: delivery } = await loadState(ctx.store, deliveryDecider, deliveryStream(deliveryId));
      // Deleted meanwhile: its owner is no longer known.
      if (!('userId' in delivery)) return;
      const { userId } = delivery;
      const command = { type: 'NoteTry', endpointId, userId, ok, triedAt } as const;
      await handle(
        { ...ctx, commandId: derivedId(event.id, 'outage') },
        webhooksDecider,
        webhooksStream(userId),
        command,
      );
    },
  });
}
