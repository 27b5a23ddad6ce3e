import { describe, expect, it } from 'vitest';
import { forgetDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { removeWebhook, switchWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { MAX_TRIES } from '../../../src/domain/webhooks/delivery.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createFailingWebhooks } from '../../../src/work/followers/failingWebhooks.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';
import { answer, deliveryTo, tryInVain, webhookOf } from '../../given/work/webhooks.ts';

type Tried = { readonly endpointId: string; readonly ok: boolean; readonly triedAt: string };
/** As in the read model of webhooks. */
const arrivedSinceIn = (made: Product) => async (endpointId: string, at: string) =>
  (await made.log()).some(
    ({ type, data }) =>
      type === 'WebhookTried' &&
      (data as Tried).endpointId === endpointId &&
      (data as Tried).ok &&
      (data as Tried).triedAt > at,
  );
const follow = (made: Product, reached = true) =>
  followLog(
    made.store,
    createFailingWebhooks({ context: made.context, asOf: asOfIf(reached), arrivedSince: arrivedSinceIn(made) }),
  );
const switches = async (made: Product) =>
  (await made.log())
    .filter(({ stream }) => stream.startsWith('webhooks-'))
    .map(({ type, data }) => `${type} ${(data as { reason?: string }).reason ?? ''}`.trim());

async function given(): Promise<{ made: Product; ann: string; endpointId: string }> {
  const made = await withAdmin();
  const ann = await userOf(made);
  return { made, ann, endpointId: await webhookOf(made, ann) };
}

describe('an unreachable webhook', () => {
  it('is disabled once after the last attempt of a message, and not again after its owner has enabled it', async () => {
    const { made, ann, endpointId } = await given();
    await tryInVain(made, await deliveryTo(made, ann, endpointId), { tries: MAX_TRIES - 1 });
    await follow(made);
    expect(await switches(made)).toEqual(['WebhookAdded']);
    await tryInVain(made, await deliveryTo(made, ann, endpointId));
    for (let nth = 0; nth < 2; nth += 1) await follow(made);
    expect(await switches(made)).toEqual(['WebhookAdded', 'WebhookDisabled failing']);
    await switchWebhook(made.context(), { userId: ann, endpointId, on: true });
    await follow(made);
    expect(await switches(made)).toEqual(['WebhookAdded', 'WebhookDisabled failing', 'WebhookEnabled']);
  });

  it.each([
    [
      'a test message',
      async ({ made, ann, endpointId }) => tryInVain(made, await deliveryTo(made, ann, endpointId, 'test')),
    ],
    [
      'a message that there was no use to try again',
      async ({ made, ann, endpointId }) =>
        tryInVain(made, await deliveryTo(made, ann, endpointId), { tries: 2, final: true }),
    ],
    [
      'a message while another arrived',
      async ({ made, ann, endpointId }) => {
        const [poison, other] = [await deliveryTo(made, ann, endpointId), await deliveryTo(made, ann, endpointId)];
        made.pass(1);
        await answer(made, other, { attempt: 1, ok: true });
        await tryInVain(made, poison);
      },
    ],
    [
      'a message that was forgotten since',
      async ({ made, ann, endpointId }) => {
        const deliveryId = await deliveryTo(made, ann, endpointId);
        await tryInVain(made, deliveryId);
        const [last] = (await made.log()).filter(({ type }) => type === 'WebhookTried').slice(-1);
        await forgetDelivery(made.context(), { deliveryId, endpointId });
        const follower = createFailingWebhooks({
          context: made.context,
          asOf: asOfIf(true),
          arrivedSince: arrivedSinceIn(made),
        });
        await follower.follow(last!, new AbortController().signal);
      },
    ],
  ] satisfies readonly (readonly [
    string,
    (scene: { made: Product; ann: string; endpointId: string }) => Promise<void>,
  ])[])('stays enabled for %s', async (_what, act) => {
    const scene = await given();
    await act(scene);
    await follow(scene.made);
    expect(await switches(scene.made)).toEqual(['WebhookAdded']);
  });

  it('is ignored after its removal', async () => {
    const { made, ann, endpointId } = await given();
    await tryInVain(made, await deliveryTo(made, ann, endpointId));
    await removeWebhook(made.context(), { userId: ann, endpointId });
    await follow(made);
    expect(await switches(made)).toEqual(['WebhookAdded', 'WebhookRemoved']);
  });

  it('is judged once the read model knows the attempt', async () => {
    const { made, ann, endpointId } = await given();
    await tryInVain(made, await deliveryTo(made, ann, endpointId));
    await expect(follow(made, false)).rejects.toBeInstanceOf(NotYet);
  });
});
