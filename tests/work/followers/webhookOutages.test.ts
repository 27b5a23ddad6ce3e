import { describe, expect, it } from 'vitest';
import { forgetDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { removeWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { createWebhookOutages } from '../../../src/work/followers/webhookOutages.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { followLog, still } from '../../given/work/following.ts';
import { answer, deliveryTo, webhookOf } from '../../given/work/webhooks.ts';

const follow = (made: Product) => followLog(made.store, createWebhookOutages({ context: made.context }));
const told = async (made: Product) =>
  (await made.log())
    .filter(({ type }) => type === 'WebhookFailing' || type === 'WebhookRecovered')
    .map(({ type, data }) => [type, Object.values(data).at(-1)]);

async function given() {
  const made = await withAdmin();
  const ann = await userOf(made);
  return { made, ann, endpointId: await webhookOf(made, ann) };
}

describe('an outage of a webhook', () => {
  it('is recorded at its begin and at its end, once each, wherever a process crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, ann, endpointId } = await given();
      const sent = await Promise.all([1, 2, 3, 4].map(() => deliveryTo(made, ann, endpointId)));
      const times: string[] = [];
      for (const [nth, ok] of [false, false, true, false].entries()) {
        made.pass(1);
        times.push(made.now());
        await answer(made, sent[nth] ?? '', { attempt: 1, ok });
      }
      const store = breaking(made.store);
      await orCrash(followLog(store, createWebhookOutages({ context: (cause) => made.context(cause, store) })));
      for (let nth = 0; nth < 2; nth += 1) await follow(made);
      expect(await told(made)).toEqual([
        ['WebhookFailing', times[0]],
        ['WebhookRecovered', times[2]],
        ['WebhookFailing', times[3]],
      ]);
    });
    expect(deaths).toBe(6);
  });

  it('ignores deleted messages, and removed webhooks', async () => {
    const { made, ann, endpointId } = await given();
    const deliveryId = await deliveryTo(made, ann, endpointId);
    await answer(made, deliveryId, { attempt: 1, ok: false });
    const tried = (await made.log()).find(({ type }) => type === 'WebhookTried')!;
    await forgetDelivery(made.context(), { deliveryId, endpointId });
    await createWebhookOutages({ context: made.context }).follow(tried, still);
    await answer(made, await deliveryTo(made, ann, endpointId), { attempt: 1, ok: false });
    await removeWebhook(made.context(), { userId: ann, endpointId });
    await follow(made);
    expect(await told(made)).toEqual([]);
  });
});

describe('a deleted message', () => {
  it('leaves the time of its last delivery, and nothing if there was none', async () => {
    const { made, ann, endpointId } = await given();
    const [arrived, failed] = [await deliveryTo(made, ann, endpointId), await deliveryTo(made, ann, endpointId)];
    const at = made.now();
    await answer(made, arrived, { attempt: 1, ok: true });
    await answer(made, failed, { attempt: 1, ok: false, final: true });
    made.pass(1);
    for (const deliveryId of [arrived, failed, 'unknown'])
      await forgetDelivery(made.context(), { deliveryId, endpointId });
    const left = (await made.log()).filter(({ type }) => type === 'WebhookForgotten').map(({ data }) => data);
    expect(left).toEqual(
      [arrived, failed, 'unknown'].map((deliveryId) => ({
        deliveryId,
        endpointId,
        forgottenAt: made.now(),
        ...(deliveryId === arrived ? { arrivedAt: at } : {}),
      })),
    );
  });
});
