/** Erases the secret of a removed webhook and everything sent to it. */

import type { ContextOf } from '../../commands/context.ts';
import { forgetDelivery } from '../../commands/webhooks/webhookDeliveries.ts';
import { webhookSecretStream } from '../../domain/webhooks/events.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

export type RemovedWebhooksDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  readonly deliveriesOf: (endpointId: string) => Promise<readonly string[]>;
};

export function createRemovedWebhooks({ context, asOf, deliveriesOf }: RemovedWebhooksDeps): Follower {
  return followerOf({
    name: 'removedWebhooks',
    types: ['WebhookRemoved'],
    begins: 'at_the_start',
    async follow(event) {
      const { endpointId } = event.data;
      const ctx = context(event);
      await ctx.store.delete(webhookSecretStream(endpointId));
      const deliveryIds = await known(asOf, event.position, 'what was sent to a removed webhook', () =>
        deliveriesOf(endpointId),
      );
      for (const deliveryId of deliveryIds) await forgetDelivery(ctx, { deliveryId, endpointId });
    },
  });
}
