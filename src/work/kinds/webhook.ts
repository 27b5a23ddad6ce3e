/** Webhook deliveries: pending from when one is queued, or requeued, until it is delivered, given up or deleted. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import { triesEnded, tryDelivery, type WebhookSenderDeps } from '../../workers/webhookSender.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const WEBHOOK = 'webhook';

export const webhookRule: WorkRule = {
  kind: WEBHOOK,
  opens: {
    ...on('WebhookQueued', ({ data }) => ({ itemId: data.deliveryId, lane: data.userId })),
    ...on('WebhookRequeued', ({ data: { deliveryId, userId, endpointId } }) => ({
      itemId: deliveryId,
      lane: userId ?? endpointId,
    })),
  },
  closes: {
    ...on('WebhookTried', ({ data }) => (data.nextTryAt === null ? data.deliveryId : null)),
    ...on('WebhookForgotten', ({ data }) => data.deliveryId),
  },
  defers: on('WebhookTried', ({ data: { deliveryId, nextTryAt } }) =>
    nextTryAt === null ? null : { itemId: deliveryId, dueAt: nextTryAt },
  ),
};

/** A hanging receiver occupies a slot until its timeout. */
const PARALLEL = 32;
/** Per user, so that hanging receivers only delay their own user, and no receiver is overloaded. */
const PARALLEL_OF_A_USER = 4;
/** For our own failures; attempts to reach a receiver are counted in the delivery's stream. */
const TRIES = 12;

export function webhookKind(deps: WebhookSenderDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: webhookRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // Each attempt is a step of its own.
    stepsEnded: ({ itemId }) => triesEnded(deps, itemId),
    perform: async ({ itemId, opening, opener }, { held }, signal) => {
      const done = await tryDelivery(deps, { deliveryId: itemId, askedAt: opening, cause: opener }, held, signal);
      return done.outcome === 'over'
        ? { outcome: 'settled', position: done.position }
        : { outcome: 'later', notBefore: done.until ?? deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
  };
}
