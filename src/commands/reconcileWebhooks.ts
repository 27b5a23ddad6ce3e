import type { WebhooksEvent } from '../domain/webhooks/events.ts';
import { webhookSecretStream } from '../domain/webhooks/webhooks.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { forgetDelivery } from './webhookDeliveries.ts';

const PAGE = 100;

type Removed = Extract<WebhooksEvent, { readonly type: 'WebhookRemoved' }>['data'];

/** Owner of removals of webhooks that broke off: erases the secret and the log. Goes through those after `after`; pass `next` the next time. */
export async function reconcileWebhooks(
  ctx: CommandContext,
  input: {
    readonly after: Position;
    readonly deliveriesOf: (endpointId: string) => AsyncIterable<string>;
    readonly reached: (position: Position) => Promise<boolean>;
  },
): Promise<{ readonly next: Position }> {
  for (let after = input.after; ; ) {
    const page = await ctx.store.readAll({ after, limit: PAGE, filter: { types: ['WebhookRemoved'] } });
    for (const event of page.events) {
      if (!(await input.reached(event.position))) return { next: after };
      const { endpointId } = event.data as Removed;
      await ctx.store.delete(webhookSecretStream(endpointId), { mode: 'hard' });
      for await (const deliveryId of input.deliveriesOf(endpointId)) await forgetDelivery(ctx, { deliveryId, endpointId });
      after = event.position;
    }
    if (page.end) return { next: page.next };
    after = page.next;
  }
}
