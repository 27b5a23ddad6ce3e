/** Erases the secret of a removed webhook and everything sent to it. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetDelivery } from '../../commands/webhooks/webhookDeliveries.ts';
import { webhookSecretStream } from '../../domain/webhooks/webhooks.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type RemovedWebhooksDeps = {
  readonly context: ContextOf;
  /** Whether `deliveriesOf` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly deliveriesOf: (endpointId: string) => Promise<readonly string[]>;
};

export function createRemovedWebhooks({ context, reached, deliveriesOf }: RemovedWebhooksDeps): Follower {
  return followerOf({
    name: 'removedWebhooks',
    types: ['WebhookRemoved'],
    begins: 'at_the_start',
    async follow(event) {
      const { endpointId } = event.data;
      const ctx = context(event);
      await ctx.store.delete(webhookSecretStream(endpointId));
      if (!(await reached(event.position))) throw new NotYet('What was sent to a removed webhook is not known yet.');
      for (const deliveryId of await deliveriesOf(endpointId)) await forgetDelivery(ctx, { deliveryId, endpointId });
    },
  });
}
