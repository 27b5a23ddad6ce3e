import { describe, expect, it } from 'vitest';
import { forgetDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { removeWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { webhookSecretStream } from '../../../src/domain/webhooks/events.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createRemovedWebhooks } from '../../../src/work/followers/removedWebhooks.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';
import { deliveryTo, webhookOf } from '../../given/work/webhooks.ts';

type Queued = { readonly endpointId: string; readonly deliveryId: string };
const deliveriesIn = (made: Product) => async (endpointId: string) =>
  (await made.log()).flatMap(({ type, data }) =>
    type === 'WebhookQueued' && (data as Queued).endpointId === endpointId ? [(data as Queued).deliveryId] : [],
  );
const follow = (made: Product, reached = true) =>
  followLog(
    made.store,
    createRemovedWebhooks({ context: made.context, asOf: asOfIf(reached), deliveriesOf: deliveriesIn(made) }),
  );

describe('a removed webhook', () => {
  it('leaves neither its secret nor its deliveries, wherever a process crashed; others keep theirs', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const [gone, kept] = [await webhookOf(made, ann), await webhookOf(made, ann)];
      const sent = [await deliveryTo(made, ann, gone), await deliveryTo(made, ann, gone)];
      await deliveryTo(made, ann, kept);
      const ctx = made.context('command-1', breaking(made.store));
      await orCrash(
        removeWebhook(ctx, { userId: ann, endpointId: gone }).then(async () => {
          for (const deliveryId of sent) await forgetDelivery(ctx, { deliveryId, endpointId: gone });
        }),
      );
      const removed = (await made.types('webhooks-')).includes('WebhookRemoved');
      await follow(made);
      expect((await made.store.read(webhookSecretStream(gone))).status).toBe(removed ? 'deleted' : 'found');
      expect((await made.types('webhook-delivery-')).filter((type) => type === 'WebhookQueued')).toHaveLength(
        removed ? 1 : 3,
      );
      expect((await made.store.read(webhookSecretStream(kept))).status).toBe('found');
    });
    expect(deaths).toBe(12);
  });

  it('loses its secret at once, and waits for the read model with the rest', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    await removeWebhook(made.context(), { userId: ann, endpointId });
    await expect(follow(made, false)).rejects.toBeInstanceOf(NotYet);
    expect((await made.store.read(webhookSecretStream(endpointId))).status).toBe('deleted');
  });
});
