/** How events of webhooks, their signing secrets, and their messages are stored. */
import { WEBHOOK_DELIVERY_EVENTS, WEBHOOK_SECRET_EVENTS, WEBHOOKS_EVENTS } from '../webhooks/events.ts';
import { stored } from './storedType.ts';

export const WEBHOOKS_TYPES = stored(WEBHOOKS_EVENTS, ['endpointId', 'userId'], {
  // The path often contains the credential that authenticates the caller.
  WebhookAdded: { secret: ['url'] },
  WebhooksClosed: { ids: ['userId'] },
});

export const WEBHOOK_SECRET_TYPES = stored(WEBHOOK_SECRET_EVENTS, ['endpointId'], {
  WebhookSecretSet: { secret: ['secret'] },
  WebhookSecretRotated: { secret: ['secret', 'former.secret'] },
});

export const WEBHOOK_DELIVERY_TYPES = stored(WEBHOOK_DELIVERY_EVENTS, ['deliveryId'], {
  WebhookQueued: { ids: ['deliveryId', 'userId'] },
});
