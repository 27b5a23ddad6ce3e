/** Webhook endpoints as seen by their owners, without the signing secrets. */
import type { DataOf } from '../domain/stored/eventOf.ts';
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
  /** The first failure since the last success; null if the last attempt succeeded. Taken from the webhook's own stream, because its messages are erased. */
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
    // A message erased with its account does not name its endpoint.
    return event.data.endpointId === '' ? [] : [event.data.endpointId];
  },
  evolve(document, event) {
    switch (event.type) {
      case 'WebhookAdded':
        return newWebhook(event.data);
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

/** As it is when it has just been added. */
export function newWebhook(added: DataOf<'WebhookAdded'>): WebhookDocument {
  return { ...added, active: true, disabledReason: null, disabledAt: null, lastSuccessAt: null, failingSince: null };
}

/** Independent of event order: for an erased message, its last event repeats the time. */
function arrived(document: WebhookDocument, at: string | null): WebhookDocument {
  return at !== null && at > (document.lastSuccessAt ?? '') ? { ...document, lastSuccessAt: at } : document;
}

export function getWebhook(readModels: ReadModels, endpointId: string): Promise<StoredDocument<WebhookDocument> | null> {
  return readModels.get('webhooks', endpointId);
}

/** Missing ones are left out. */
export async function listWebhooksById(readModels: ReadModels, endpointIds: readonly string[]): Promise<readonly WebhookDocument[]> {
  return (await readModels.getMany<WebhookDocument>('webhooks', endpointIds)).map(({ data }) => data);
}

/** Exceeds the limit per account. */
const ALL = 100;

/** Oldest first. */
export async function listWebhooks(readModels: ReadModels, userId: string): Promise<readonly WebhookDocument[]> {
  const { documents } = await readModels.find<WebhookDocument>('webhooks', { where: { userId }, sort: [['addedAt', 'asc']], limit: ALL });
  return documents.map(({ data }) => data);
}
