/** Webhook endpoints as seen by their owners, without the signing secrets. */
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { WebhookEvent } from '../model/programs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type WebhookDocument = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly active: boolean;
  readonly disabled_reason: 'owner' | 'failing' | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
  readonly last_success_at: string | null;
  /**
   * The first failure since the last success; null if the last attempt succeeded. Taken from the webhook's own stream,
   * because its messages are erased.
   */
  readonly failing_since: string | null;
  readonly userId: string;
};

export const webhooks = projection<WebhookDocument>()({
  name: 'webhooks',
  version: 3,
  shape: 2,
  indexes: [['userId', 'created_at']],
  keys: (event) => {
    if (event.type === 'WebhooksClosed') return event.data.endpointIds;
    // A message erased with its account does not name its endpoint.
    return event.data.endpointId === '' ? [] : [event.data.endpointId];
  },
  on: {
    WebhookAdded: (_, { data }) => newWebhook(data),
    WebhookEnabled: (webhook) =>
      webhook && { ...webhook, active: true, disabled_reason: null, disabled_at: null, failing_since: null },
    WebhookDisabled: (webhook, { data }) =>
      webhook && { ...webhook, active: false, disabled_reason: data.reason, disabled_at: data.disabledAt },
    WebhookFailing: (webhook, { data }) => webhook && { ...webhook, failing_since: data.failingSince },
    WebhookRecovered: (webhook) => webhook && { ...webhook, failing_since: null },
    WebhookRemoved: () => null,
    WebhooksClosed: () => null,
    WebhookTried: (webhook, { data }) => arrived(webhook, data.ok ? data.triedAt : null),
    WebhookForgotten: (webhook, { data }) => arrived(webhook, data.arrivedAt ?? null),
  },
});

/** As it is when it has just been added. */
export function newWebhook(added: DataOf<'WebhookAdded'>): WebhookDocument {
  const { endpointId, userId, url, events, addedAt } = added;
  return {
    id: endpointId,
    url,
    events,
    active: true,
    disabled_reason: null,
    disabled_at: null,
    created_at: addedAt,
    last_success_at: null,
    failing_since: null,
    userId,
  };
}

/** Independent of event order: for an erased message, its last event repeats the time. */
function arrived(webhook: WebhookDocument | null, at: string | null): WebhookDocument | null {
  return webhook && at !== null && at > (webhook.last_success_at ?? '') ? { ...webhook, last_success_at: at } : webhook;
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
    sort: [['created_at', 'asc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}
