/** Webhook endpoints as their owners see them. What signs is not among it. */
import type { WebhookDeliveryEvent, WebhooksEvent } from '../domain/webhooks/events.ts';
import type { WebhookEvent } from '../model/programs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type WebhookDocument = {
  readonly endpointId: string;
  readonly userId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly active: boolean;
  readonly disabledReason: 'owner' | 'failing' | null;
  readonly disabledAt: string | null;
  readonly addedAt: string;
  readonly lastSuccessAt: string | null;
  /** Of the first failure since the last success; null when the last try went well. As the webhook's own stream says: its messages are forgotten. */
  readonly failingSince: string | null;
};

type OfDelivery = Extract<WebhookDeliveryEvent, { readonly type: 'WebhookTried' | 'WebhookForgotten' }>;

export const webhooks: Projection<WebhookDocument, WebhooksEvent | OfDelivery> = {
  name: 'webhooks',
  version: 2,
  indexes: [['userId', 'addedAt']],
  handles: [
    ...(['WebhookAdded', 'WebhookEnabled', 'WebhookDisabled', 'WebhookFailing', 'WebhookRecovered', 'WebhookRemoved', 'WebhooksClosed'] as const),
    ...(['WebhookTried', 'WebhookForgotten'] as const),
  ],
  keys: (event) => {
    if (event.type === 'WebhooksClosed') return event.data.endpointIds;
    // Of a message that is forgotten with its account, the endpoint is not named.
    return event.data.endpointId === '' ? [] : [event.data.endpointId];
  },
  evolve(document, event) {
    switch (event.type) {
      case 'WebhookAdded':
        return { ...event.data, active: true, disabledReason: null, disabledAt: null, lastSuccessAt: null, failingSince: null };
      case 'WebhookEnabled':
        return document && { ...document, active: true, disabledReason: null, disabledAt: null, failingSince: null };
      case 'WebhookDisabled':
        return document && { ...document, active: false, disabledReason: event.data.reason, disabledAt: event.data.disabledAt };
      case 'WebhookFailing':
        return document && { ...document, failingSince: event.data.failingSince };
      case 'WebhookRecovered':
        return document && { ...document, failingSince: null };
      case 'WebhookTried':
        return document && arrived(document, event.data.ok ? event.data.triedAt : null);
      case 'WebhookForgotten':
        return document && arrived(document, event.data.arrivedAt ?? null);
      case 'WebhookRemoved':
      case 'WebhooksClosed':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

/** In whatever order it is told: what was forgotten tells it last. */
function arrived(document: WebhookDocument, at: string | null): WebhookDocument {
  return at !== null && at > (document.lastSuccessAt ?? '') ? { ...document, lastSuccessAt: at } : document;
}

export function getWebhook(readModels: ReadModels, endpointId: string): Promise<StoredDocument<WebhookDocument> | null> {
  return readModels.get('webhooks', endpointId);
}

/** Those that are not there are left out. */
export async function listWebhooksById(readModels: ReadModels, endpointIds: readonly string[]): Promise<readonly WebhookDocument[]> {
  return (await readModels.getMany<WebhookDocument>('webhooks', endpointIds)).map(({ data }) => data);
}

/** More than an account can have. */
const ALL = 100;

/** Oldest first. */
export async function listWebhooks(readModels: ReadModels, userId: string): Promise<readonly WebhookDocument[]> {
  const { documents } = await readModels.find<WebhookDocument>('webhooks', { where: { userId }, sort: [['addedAt', 'asc']], limit: ALL });
  return documents.map(({ data }) => data);
}
