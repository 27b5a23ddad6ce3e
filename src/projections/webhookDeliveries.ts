/** Log of messages sent to webhook endpoints, without their content. */
import type { DeliveredEvent } from '../domain/webhooks/events.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type WebhookTry = {
  readonly at: string;
  readonly ok: boolean;
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
};

export type WebhookDeliveryDocument = {
  readonly id: string;
  readonly event: DeliveredEvent;
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly queued_at: string;
  /** Null when it was delivered or given up. */
  readonly next_try_at: string | null;
  /** Newest last. */
  readonly tries: readonly WebhookTry[];
  readonly endpointId: string;
  readonly userId: string;
  readonly settledAt: string | null;
};

const MAX_SHOWN_TRIES = 20;
/** How long an attempt belongs to the worker that started it. */
const TRY_LEASE_MS = 60_000;

export const webhookDeliveries = projection<WebhookDeliveryDocument>()({
  name: 'webhookDeliveries',
  version: 3,
  shape: 2,
  indexes: [['endpointId', 'queued_at'], ['userId'], ['settledAt'], ['status', 'settledAt']],
  keys: ({ data }) => [data.deliveryId],
  on: {
    WebhookQueued: (_, { data: { deliveryId, endpointId, userId, event, queuedAt } }) => ({
      id: deliveryId,
      event,
      status: 'waiting',
      queued_at: queuedAt,
      next_try_at: queuedAt,
      tries: [],
      endpointId,
      userId,
      settledAt: null,
    }),
    WebhookTryStarted: (document, { data }) =>
      document && { ...document, next_try_at: new Date(Date.parse(data.startedAt) + TRY_LEASE_MS).toISOString() },
    WebhookTried: (document, { data: { ok, status, ms, error, triedAt: at, nextTryAt } }) => {
      if (!document) return null;
      const tries = [...document.tries, { at, ok, status, ms, error }].slice(-MAX_SHOWN_TRIES);
      if (nextTryAt !== null) return { ...document, tries, next_try_at: nextTryAt };
      return { ...document, tries, next_try_at: null, settledAt: at, status: ok ? 'delivered' : 'failed' };
    },
    WebhookRequeued: (document, { data }) =>
      document && { ...document, status: 'waiting', next_try_at: data.requeuedAt, settledAt: null },
    WebhookForgotten: () => null,
  },
});

const PAGE = 200;

export type DeliveriesQuery = { readonly limit: number; readonly cursor?: string };

/** Newest first. */
export function listDeliveries(
  readModels: ReadModels,
  endpointId: string,
  { limit, cursor }: DeliveriesQuery,
): Promise<Page<WebhookDeliveryDocument>> {
  return readModels.find('webhookDeliveries', {
    where: { endpointId },
    sort: [['queued_at', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

export async function listSettledDeliveries(
  readModels: ReadModels,
  before: string,
  limit: number,
): Promise<readonly WebhookDeliveryDocument[]> {
  const { documents } = await readModels.find<WebhookDeliveryDocument>('webhookDeliveries', {
    where: { settledAt: { lt: before } },
    sort: [['settledAt', 'asc']],
    limit,
  });
  return documents.map(({ data }) => data);
}

/** Given-up deliveries of all endpoints, newest first. */
export async function listFailedDeliveries(
  readModels: ReadModels,
  limit: number,
): Promise<readonly WebhookDeliveryDocument[]> {
  const { documents } = await readModels.find<WebhookDeliveryDocument>('webhookDeliveries', {
    where: { status: 'failed' },
    sort: [['settledAt', 'desc']],
    limit,
  });
  return documents.map(({ data }) => data);
}

/** How many were given up since that time (UTC ISO). */
export function countFailedDeliveries(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('webhookDeliveries', { status: 'failed', settledAt: { gte: since } });
}

/** Ids of all messages to an endpoint. */
export async function* deliveriesOf(readModels: ReadModels, endpointId: string): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const page: Page<WebhookDeliveryDocument> = await listDeliveries(readModels, endpointId, {
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.documents.map(({ id }) => id);
    cursor = page.cursor;
  } while (cursor !== null);
}
