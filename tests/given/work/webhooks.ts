/** Webhooks of a user and their deliveries, through commands only. */
import { randomUUID } from 'node:crypto';
import { handle } from '../../../src/commands/handle.ts';
import { queueDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { deliveryDecider, MAX_TRIES, RETRY_DELAYS_MS } from '../../../src/domain/webhooks/delivery.ts';
import { type DeliveredEvent, deliveryStream } from '../../../src/domain/webhooks/events.ts';
import type { Product } from '../commands.ts';

export const webhookOf = async (made: Product, userId: string): Promise<string> =>
  (
    await addWebhook(made.context(), {
      userId,
      url: 'https://hooks.example.com/',
      events: ['job.completed'],
      newToken: randomUUID,
    })
  ).endpointId;

export async function deliveryTo(
  made: Product,
  userId: string,
  endpointId: string,
  event: DeliveredEvent = 'job.completed',
): Promise<string> {
  const message = { event, createdAt: made.now(), data: { told: 'something' } };
  return (await queueDelivery(made.context(), { userId, endpointId, causeId: randomUUID(), message })).deliveryId;
}

/** Attempts it `tries` times, by default the maximum, each when it is due. */
export async function tryInVain(
  made: Product,
  deliveryId: string,
  { tries = MAX_TRIES, final = false } = {},
): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    await answer(made, deliveryId, { attempt, ok: false, final: final && attempt === tries });
    made.pass((RETRY_DELAYS_MS[attempt - 1] ?? 0) / 60_000);
  }
}

export async function answer(
  made: Product,
  deliveryId: string,
  outcome: { attempt: number; ok: boolean; final?: boolean },
): Promise<void> {
  const stream = deliveryStream(deliveryId);
  await handle(made.context(), deliveryDecider, stream, { type: 'StartTry', at: made.now() });
  const told = outcome.ok ? { status: 200, error: null } : { status: 500, error: 'The receiver answered 500.' };
  await handle(made.context(), deliveryDecider, stream, {
    type: 'RecordTry',
    ...outcome,
    ...told,
    ms: 5,
    at: made.now(),
  });
}
