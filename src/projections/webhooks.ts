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
  /** Of the first failure since the last success; null when the last try went well. */
  readonly failingSince: string | null;
};

type Tried = Extract<WebhookDeliveryEvent, { readonly type: 'WebhookTried' }>;

export const webhooks: Projection<WebhookDocument, WebhooksEvent | Tried> = {
  name: 'webhooks',
  version: 1,
  indexes: [['userId', 'addedAt']],
  handles: ['WebhookAdded', 'WebhookEnabled', 'WebhookDisabled', 'WebhookRemoved', 'WebhooksClosed', 'WebhookTried'],
  keys: (event) => (event.type === 'WebhooksClosed' ? event.data.endpointIds : [event.data.endpointId]),
  evolve(document, event) {
    switch (event.type) {
      case 'WebhookAdded':
        return { ...event.data, active: true, disabledReason: null, disabledAt: null, lastSuccessAt: null, failingSince: null };
      case 'WebhookEnabled':
        return document && { ...document, active: true, disabledReason: null, disabledAt: null, failingSince: null };
      case 'WebhookDisabled':
        return document && { ...document, active: false, disabledReason: event.data.reason, disabledAt: event.data.disabledAt };
      case 'WebhookTried': {
        const { ok, triedAt } = event.data;
        return document && { ...document, ...(ok ? { lastSuccessAt: triedAt, failingSince: null } : { failingSince: document.failingSince ?? triedAt }) };
      }
      case 'WebhookRemoved':
      case 'WebhooksClosed':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

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
