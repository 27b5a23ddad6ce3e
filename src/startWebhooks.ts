/** The webhook worker with what it needs of the outside, and the reconciler's rounds about webhooks. */

import { loadState } from './commands/handle.ts';
import { reconcileWebhooks } from './commands/reconcileWebhooks.ts';
import { forgetDelivery } from './commands/webhookDeliveries.ts';
import { deliveryDecider, deliveryStream } from './domain/webhooks/delivery.ts';
import { START } from './eventStore/eventStore.ts';
import { createFetcher } from './integrations/fetcher/httpFetcher.ts';
import { createWebhookUrlCheck } from './integrations/webhookUrl.ts';
import { deliveriesOf, dueDeliveries, listSettledDeliveries } from './projections/webhookDeliveries.ts';
import { TOLD_TYPES, webhookFacts } from './projections/webhookFacts.ts';
import { getWebhook } from './projections/webhooks.ts';
import type { WorkerParts } from './startWorkers.ts';
import { type PostAnswer, tryDelivery, type WebhookSenderDeps } from './workers/webhookSender.ts';
import { startWebhookWorker, type WebhookWorker } from './workers/webhookWorker.ts';

const DUE_EVERY_MS = 5_000;
const TIMEOUT_MS = 10_000;
/** Of an answer; nobody reads it. */
const ANSWER_BYTES = 64 * 1024;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const FORGOTTEN_AT_ONCE = 200;
const CAUGHT_UP_MS = 5_000;
const ACTOR = 'worker:webhooks';

type Parts = Pick<WorkerParts, 'store' | 'readModels' | 'allowHosts' | 'appUrl' | 'context' | 'now' | 'log'>;

export function startWebhooks({ store, readModels, allowHosts, appUrl, context, now, log }: Parts, userAgent: string): WebhookWorker {
  const fetcher = createFetcher({ allowHosts, userAgent });
  const sender: WebhookSenderDeps = {
    store,
    context: () => context(ACTOR),
    now,
    clock: () => performance.now(),
    vetUrl: createWebhookUrlCheck(allowHosts),
    userAgent,
    arrivedSince: async (endpointId, at) => ((await getWebhook(readModels, endpointId))?.data.lastSuccessAt ?? '') > at,
    post: async (url, request): Promise<PostAnswer> => {
      const answer = await fetcher.post(url, { ...request, timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, cut: true });
      return answer.ok ? { ok: true, status: answer.status } : { ok: false, message: answer.message };
    },
  };
  const worker = startWebhookWorker({
    store,
    context: () => context(ACTOR),
    types: TOLD_TYPES,
    describe: (event) => webhookFacts(readModels, appUrl, event),
    tryDelivery: (deliveryId, signal) => tryDelivery(sender, deliveryId, signal),
    ownerOf: async (deliveryId) => {
      const { state } = await loadState(store, deliveryDecider, deliveryStream(deliveryId));
      return 'userId' in state ? state.userId : null;
    },
    listDue: () => dueDeliveries(readModels, now()),
    everyMs: DUE_EVERY_MS,
    log,
  });
  return {
    sweep: worker.sweep,
    async stop() {
      await worker.stop();
      await fetcher.close();
    },
  };
}

/** What a removal left, and what is older than the log goes back. */
export function webhookRounds({ context, readModels, now }: Parts): readonly { readonly name: string; readonly run: () => Promise<number> }[] {
  let removals = START;
  return [
    {
      name: 'removed webhooks',
      run: async () => {
        const { next } = await reconcileWebhooks(context(ACTOR), {
          after: removals,
          deliveriesOf: (endpointId) => deliveriesOf(readModels, endpointId),
          reached: (position) => readModels.reached(['webhookDeliveries'], position, CAUGHT_UP_MS),
        });
        removals = next;
        return 0;
      },
    },
    {
      name: 'old webhook deliveries',
      run: async () => {
        const before = new Date(Date.parse(now()) - KEPT_MS).toISOString();
        const old = await listSettledDeliveries(readModels, before, FORGOTTEN_AT_ONCE);
        for (const { deliveryId, endpointId } of old) await forgetDelivery(context(ACTOR), { deliveryId, endpointId });
        return old.length;
      },
    },
  ];
}
