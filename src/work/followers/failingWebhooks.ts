/** Disables a webhook when a message could not be delivered in a day of attempts, until its owner re-enables it. */

import type { ContextOf } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { loadHistory } from '../../commands/handle.ts';
import { switchWebhook } from '../../commands/webhooks/webhooks.ts';
import { DomainError } from '../../domain/decider.ts';
import { deliveryDecider, MAX_TRIES } from '../../domain/webhooks/delivery.ts';
import { webhooksStream } from '../../domain/webhooks/events.ts';
import { webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import { comparePositions, type EventStore, type Position, type RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

export type FailingWebhooksDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  /** Whether anything was delivered to the endpoint since then (UTC ISO). */
  readonly arrivedSince: (endpointId: string, at: string) => Promise<boolean>;
};

export function createFailingWebhooks({ context, asOf, arrivedSince }: FailingWebhooksDeps): Follower {
  return followerOf({
    name: 'failingWebhooks',
    types: ['WebhookTried'],
    begins: 'a_day_back',
    async follow(event) {
      const { deliveryId, endpointId, attempt, ok, nextTryAt } = event.data;
      // Given up sooner because a retry was pointless, which says nothing about the receiver.
      if (ok || nextTryAt !== null || attempt < MAX_TRIES) return;
      const ctx = context(event);
      const delivery = await waitingBefore(ctx.store, event);
      // Deleted meanwhile, with its webhook or its account.
      if (delivery?.status !== 'waiting' || delivery.event === 'test') return;
      // A single message that the receiver cannot process does not stop the others.
      const { since } = delivery;
      if (
        await known(asOf, event.position, `what came of the delivery ${deliveryId}`, () =>
          arrivedSince(endpointId, since),
        )
      )
        return;
      const { userId } = delivery;
      if (await enabledSince(ctx.store, { userId, endpointId, position: event.position })) return;
      await switchWebhook(
        { ...ctx, commandId: derivedId(event.id, 'disabling') },
        { userId, endpointId, on: false, reason: 'failing' },
      ).catch(unlessRemoved);
    },
  });
}

/** The delivery as it stood before the event; null if its stream no longer has that. */
async function waitingBefore(store: EventStore, { stream, revision }: RecordedEvent) {
  const { events } = await loadHistory(store, deliveryDecider, stream);
  const before = events.filter((event) => event.revision < revision);
  return before.length === 0 ? null : before.reduce(deliveryDecider.evolve, deliveryDecider.initialState());
}

/** Whether its owner has re-enabled it since. */
async function enabledSince(
  store: EventStore,
  {
    userId,
    endpointId,
    position,
  }: { readonly userId: string; readonly endpointId: string; readonly position: Position },
): Promise<boolean> {
  const { events } = await loadHistory(store, webhooksDecider, webhooksStream(userId));
  return events.some(
    (event) =>
      event.type === 'WebhookEnabled' &&
      comparePositions(event.position, position) > 0 &&
      event.data.endpointId === endpointId,
  );
}

function unlessRemoved(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
