/** Webhooks as shown to their owner: without secrets. */
import type { WebhookDeliveryDocument } from '../../projections/webhookDeliveries.ts';
import type { WebhookDocument } from '../../projections/webhooks.ts';
import type { WebhookDeliveryView, WebhookView } from '../contract/webhooks.ts';

export function presentWebhook(webhook: WebhookDocument): WebhookView {
  return {
    id: webhook.endpointId,
    url: webhook.url,
    events: [...webhook.events],
    active: webhook.active,
    disabled_reason: webhook.disabledReason,
    disabled_at: webhook.disabledAt,
    created_at: webhook.addedAt,
    last_success_at: webhook.lastSuccessAt,
    failing_since: webhook.failingSince,
  };
}

export function presentDelivery(delivery: WebhookDeliveryDocument): WebhookDeliveryView {
  return {
    id: delivery.deliveryId,
    event: delivery.event,
    status: delivery.status,
    queued_at: delivery.queuedAt,
    next_try_at: delivery.dueAt,
    tries: delivery.tries.map((one) => ({ ...one })),
  };
}
