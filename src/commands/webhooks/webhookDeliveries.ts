/** Webhook messages: queued once, resent on request, erased with their content. */
import { DomainError } from '../../domain/decider.ts';
import { deliveryDecider } from '../../domain/webhooks/delivery.ts';
import { type DeliveredEvent, deliveryStream, webhooksStream } from '../../domain/webhooks/events.ts';
import { endpointOf, type WebhooksState, webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import { comparePositions, type EventStore, type Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';

export type Message = { readonly event: DeliveredEvent; readonly createdAt: string; readonly data: object };

/** The same cause and endpoint make one delivery, with one id by which the receiver can detect duplicates. */
export async function queueDelivery(
  ctx: CommandContext,
  input: { readonly userId: string; readonly endpointId: string; readonly causeId: string; readonly message: Message },
): Promise<{ readonly deliveryId: string; readonly position: Position }> {
  const { userId, endpointId, causeId, message } = input;
  const deliveryId = derivedId(causeId, endpointId, 'delivery');
  const body = JSON.stringify({
    id: deliveryId,
    type: message.event,
    created_at: message.createdAt,
    data: message.data,
  });
  const command = {
    type: 'QueueDelivery',
    deliveryId,
    endpointId,
    userId,
    event: message.event,
    body,
    at: ctx.now(),
  } as const;
  const { position } = await handle(ctx, deliveryDecider, deliveryStream(deliveryId), command);
  return { deliveryId, position };
}

/** The user's endpoints that were subscribed to such an event at that log position and still exist, with their age. */
export async function endpointsNotified(
  store: EventStore,
  { userId, event, position }: { readonly userId: string; readonly event: DeliveredEvent; readonly position: Position },
): Promise<readonly { readonly endpointId: string; readonly addedAt: string }[]> {
  const { state, position: last } = await loadState(store, webhooksDecider, webhooksStream(userId));
  const then = comparePositions(last, position) <= 0 ? state : await endpointsThen(store, userId, position);
  return Object.values(then.endpoints)
    .filter(
      ({ endpointId, active, events: wanted }) =>
        active && (wanted as readonly DeliveredEvent[]).includes(event) && endpointId in state.endpoints,
    )
    .map(({ endpointId, addedAt }) => ({ endpointId, addedAt }));
}

async function endpointsThen(store: EventStore, userId: string, position: Position): Promise<WebhooksState> {
  const { events } = await loadHistory(store, webhooksDecider, webhooksStream(userId));
  return events
    .filter((one) => comparePositions(one.position, position) <= 0)
    .reduce(webhooksDecider.evolve, webhooksDecider.initialState());
}

/** Sends a test message, even to a disabled endpoint. @throws DomainError WEBHOOK_NOT_FOUND */
export async function sendTest(
  ctx: CommandContext,
  input: { readonly userId: string; readonly endpointId: string },
): ReturnType<typeof queueDelivery> {
  const { state } = await loadState(ctx.store, webhooksDecider, webhooksStream(input.userId));
  endpointOf(state, input.endpointId);
  const message: Message = { event: 'test', createdAt: ctx.now(), data: { message: 'This is a test.' } };
  return queueDelivery(ctx, { ...input, causeId: ctx.commandId, message });
}

/**
 * Resends the same body under the same id.
 * @throws DomainError DELIVERY_NOT_FOUND, also for another endpoint or user; DELIVERY_PENDING
 */
export async function redeliver(
  ctx: CommandContext,
  input: { readonly userId: string; readonly endpointId: string; readonly deliveryId: string },
): Promise<{ readonly position: Position }> {
  const stream = deliveryStream(input.deliveryId);
  const { state } = await loadState(ctx.store, deliveryDecider, stream);
  if (!('userId' in state) || state.userId !== input.userId || state.endpointId !== input.endpointId) {
    throw new DomainError('DELIVERY_NOT_FOUND', 'There is no such delivery.');
  }
  const { position } = await handle(ctx, deliveryDecider, stream, { type: 'RequeueDelivery', at: ctx.now() });
  return { position };
}

/** Erases the delivery and its content permanently. Safe to repeat. */
export async function forgetDelivery(
  ctx: CommandContext,
  input: { readonly deliveryId: string; readonly endpointId: string },
): Promise<Position> {
  const stream = deliveryStream(input.deliveryId);
  const { position } = await handle(ctx, deliveryDecider, stream, { type: 'ForgetDelivery', ...input, at: ctx.now() });
  await keepLastOnly(ctx.store, stream);
  return position;
}
