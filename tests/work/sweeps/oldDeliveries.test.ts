import { describe, expect, it } from 'vitest';
import { deliveryStream } from '../../../src/domain/webhooks/events.ts';
import { createOldDeliveries } from '../../../src/work/sweeps/oldDeliveries.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { withUnreadable } from '../../given/stores/unreadable.ts';
import { still } from '../../given/work/following.ts';
import { answer, deliveryTo, webhookOf } from '../../given/work/webhooks.ts';

const DAY = 24 * 60;
type Tried = { readonly deliveryId: string; readonly endpointId: string; readonly triedAt: string };

/** As in the read model of deliveries. */
const settledIn = (made: Product) => async (before: string, limit: number) =>
  (await made.log())
    .flatMap(({ type, data }) => (type === 'WebhookTried' && (data as Tried).triedAt < before ? [data as Tried] : []))
    .map(({ deliveryId, endpointId }) => ({ id: deliveryId, endpointId }))
    .slice(0, limit);

async function sent(made: Product, userId: string, endpointId: string): Promise<string> {
  const deliveryId = await deliveryTo(made, userId, endpointId);
  await answer(made, deliveryId, { attempt: 1, ok: true });
  return deliveryId;
}

describe('webhook deliveries', () => {
  it('are deleted thirty days after they arrived, however many there are', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    for (let nth = 0; nth < 203; nth += 1) await sent(made, ann, endpointId);
    made.pass(29 * DAY);
    const young = await sent(made, ann, endpointId);
    const waiting = await deliveryTo(made, ann, endpointId);
    const sweep = createOldDeliveries({
      context: made.context,
      listSettled: settledIn(made),
      reached: async () => true,
    });
    expect((await sweep.run(null, still)).done).toBe(0);
    made.pass(2 * DAY);
    expect((await sweep.run(null, still)).done).toBe(203);
    const left = (await made.log())
      .filter(({ type }) => type === 'WebhookQueued')
      .map(({ data }) => (data as Tried).deliveryId);
    expect(left).toEqual([young, waiting]);
  });

  it('are deleted although an older one cannot be read, which is reported', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    const [unreadable = '', ...others] = [
      await sent(made, ann, endpointId),
      await sent(made, ann, endpointId),
      await sent(made, ann, endpointId),
    ];
    made.pass(31 * DAY);
    const store = withUnreadable(made.store, deliveryStream(unreadable));
    const sweep = createOldDeliveries({
      context: () => made.context(undefined, store),
      listSettled: settledIn(made),
      reached: async () => true,
    });
    expect(await sweep.run(null, still)).toMatchObject({
      done: others.length,
      passedOver: [{ stream: deliveryStream(unreadable) }],
    });
    const left = (await made.log())
      .filter(({ type }) => type === 'WebhookQueued')
      .map(({ data }) => (data as Tried).deliveryId);
    expect(left).toEqual([unreadable]);
  });

  it('are left for another run when the list is behind', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    for (let nth = 0; nth < 201; nth += 1) await sent(made, ann, endpointId);
    made.pass(31 * DAY);
    const sweep = createOldDeliveries({
      context: made.context,
      listSettled: settledIn(made),
      reached: async () => false,
    });
    expect((await sweep.run(null, still)).done).toBe(200);
    expect((await sweep.run(null, still)).done).toBe(1);
  });
});
