/** Webhook endpoints as seen by their owners, without the signing secrets. */
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { WebhookEvent } from '../model/programs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

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
  /**
   * The first failure since the last success; null if the last attempt succeeded. Taken from the webhook's own stream,
   * because its messages are erased.
   */
  readonly failingSince: string | null;
};

export const webhooks = projection<WebhookDocument>()({
  name: 'webhooks',
  version: 2,
  indexes: [['userId', 'addedAt']],
  keys: (event) => {
    if (event.type === 'WebhooksClosed') return event.data.endpointIds;
    // A message erased with its account does not name its endpoint.
    return event.data.endpointId === '' ? [] : [event.data.endpointId];
  },
  on: {
    WebhookAdded: (_, { data }) => newWebhook(data),
    WebhookEnabled: (webhook) =>
      webhook && { ...webhook, active: true, disabledReason: null, disabledAt: null, failingSince: null },
    WebhookDisabled: (webhook, { data }) =>
      webhook && { ...webhook, active: false, disabledReason: data.reason, disabledAt: data.disabledAt },
    WebhookFailing: (webhook, { data }) => webhook && { ...webhook, failingSince: data.failingSince },
    WebhookRecovered: (webhook) => webhook && { ...webhook, failingSince: null },
    WebhookRemoved: () => null,
    WebhooksClosed: () => null,
    WebhookTried: (webhook, { data }) => arrived(webhook, data.ok ? data.triedAt : null),
    WebhookForgotten: (webhook, { data }) => arrived(webhook, data.arrivedAt ?? null),
  },
});

/** As it is when it has just been added. */
export function newWebhook(added: DataOf<'WebhookAdded'>): WebhookDocument {
  return { ...added, active: true, disabledReason: null, disabledAt: null, lastSuccessAt: null, failingSince: null };
}

/** Independent of event order: for an erased message, its last event repeats the time. */
function arrived(webhook: WebhookDocument | null, at: string | null): WebhookDocument | null {
  return webhook && at !== null && at > (webhook.lastSuccessAt ?? '') ? { ...webhook, lastSuccessAt: at } : webhook;
}

export function getWebhook(
  readModels: ReadModels,
  endpointId: string,
): Promise<StoredDocument<WebhookDocument> | null> {
  return readModels.get('webhooks', endpointId);
}

/** Missing ones are left out. */
export async function listWebhooksById(
  readModels: ReadModels,
  endpointIds: readonly string[],
): Promise<readonly WebhookDocument[]> {
  return (await readModels.getMany<WebhookDocument>('webhooks', endpointIds)).map(({ data }) => data);
}

/** Exceeds the limit per account. */
const ALL = 100;

/** Oldest first. */
export async function listWebhooks(readModels: ReadModels, userId: string): Promise<readonly WebhookDocument[]> {
  const { documents } = await readModels.find<WebhookDocument>('webhooks', {
    where: { userId },
    sort: [['addedAt', 'asc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}
