/** Deliveries to webhooks: owed from when one is queued, or queued again, until it has arrived, is given up or forgotten. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhooks/events.ts';
import { triesEnded, tryDelivery, type WebhookSenderDeps } from '../../workers/webhookSender.ts';
import type { WorkKind, WorkRule } from '../kind.ts';
import { fullJitter } from '../retry.ts';

export const WEBHOOK = 'webhook';

type Data<Type extends WebhookDeliveryEvent['type']> = Extract<WebhookDeliveryEvent, { readonly type: Type }>['data'];

export const webhookRule: WorkRule = {
  kind: WEBHOOK,
  opens: {
    WebhookQueued: ({ data }) => {
      const { deliveryId, userId } = data as Data<'WebhookQueued'>;
      return { itemId: deliveryId, lane: userId };
    },
    WebhookRequeued: ({ data }) => {
      const { deliveryId, userId, endpointId } = data as Data<'WebhookRequeued'>;
      return { itemId: deliveryId, lane: userId ?? endpointId };
    },
  },
  closes: {
    WebhookTried: ({ data }) => {
      const { deliveryId, nextTryAt } = data as Data<'WebhookTried'>;
      return nextTryAt === null ? deliveryId : null;
    },
    WebhookForgotten: ({ data }) => (data as Data<'WebhookForgotten'>).deliveryId,
  },
  defers: {
    WebhookTried: ({ data }) => {
      const { deliveryId, nextTryAt } = data as Data<'WebhookTried'>;
      return nextTryAt === null ? null : { itemId: deliveryId, dueAt: nextTryAt };
    },
  },
};

/** A receiver that hangs holds a place for its time limit. */
const PARALLEL = 32;
/** Of one user, so that whose receivers hang waits for themselves alone, and nobody's receiver is overrun. */
const PARALLEL_OF_A_USER = 4;
/** Breakdowns of ours; how often a receiver is asked stands in the delivery's stream. */
const TRIES = 12;

export function webhookKind(deps: WebhookSenderDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: webhookRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // Each try is a step of its own.
    stepsEnded: ({ itemId }) => triesEnded(deps, itemId),
    perform: async ({ itemId, opening }, { held }, signal) => {
      const done = await tryDelivery(deps, { deliveryId: itemId, askedAt: opening }, held, signal);
      return done.outcome === 'over' ? { outcome: 'settled', position: done.position } : { outcome: 'later', notBefore: done.until ?? deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(), item, why, held),
  };
}
