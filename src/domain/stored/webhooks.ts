/** Stored events of webhooks, their signing secrets, and their messages. */
import * as z from 'zod';
import { WEBHOOK_EVENTS } from '../../model/programs.ts';
import type { WebhookDeliveryEvent, WebhookSecretEvent, WebhooksEvent } from '../webhooks/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const endpoint = { endpointId: id, userId: id };
const OF_ENDPOINT = ['endpointId', 'userId'] as const;

export const WEBHOOKS_TYPES = {
  WebhookAdded: stored(
    z.strictObject({ ...endpoint, url: z.string(), events: z.array(z.enum(WEBHOOK_EVENTS)).readonly(), addedAt: at }),
    OF_ENDPOINT,
    // The path often contains the credential that authenticates the caller.
    { secret: ['url'] },
  ),
  WebhookEnabled: stored(z.strictObject({ ...endpoint, enabledAt: at }), OF_ENDPOINT),
  WebhookDisabled: stored(z.strictObject({ ...endpoint, reason: z.enum(['owner', 'failing']), disabledAt: at }), OF_ENDPOINT),
  WebhookFailing: stored(z.strictObject({ ...endpoint, failingSince: at }), OF_ENDPOINT),
  WebhookRecovered: stored(z.strictObject({ ...endpoint, recoveredAt: at }), OF_ENDPOINT),
  WebhookRemoved: stored(z.strictObject({ ...endpoint, removedAt: at }), OF_ENDPOINT),
  WebhooksClosed: stored(z.strictObject({ userId: id, endpointIds: z.array(id).readonly(), closedAt: at }), ['userId']),
} satisfies StoredTypes<WebhooksEvent>;

export const WEBHOOK_SECRET_TYPES = {
  WebhookSecretSet: stored(z.strictObject({ endpointId: id, secret: z.string() }), ['endpointId'], { secret: ['secret'] }),
  WebhookSecretRotated: stored(
    z.strictObject({
      endpointId: id,
      secret: z.string(),
      former: z.strictObject({ secret: z.string(), until: at }).nullable(),
      rotatedAt: at,
    }),
    ['endpointId'],
    { secret: ['secret', 'former.secret'] },
  ),
} satisfies StoredTypes<WebhookSecretEvent>;

/** Empty if the message was forgotten with its account, when the endpoint is no longer known. */
const delivery = { deliveryId: id, endpointId: z.string() };

export const WEBHOOK_DELIVERY_TYPES = {
  WebhookQueued: stored(z.strictObject({ ...delivery, userId: id, event: z.enum([...WEBHOOK_EVENTS, 'test']), body: z.string(), queuedAt: at }), [
    'deliveryId',
    'userId',
  ]),
  WebhookTryStarted: stored(z.strictObject({ ...delivery, attempt: count, startedAt: at }), ['deliveryId']),
  WebhookTried: stored(
    z.strictObject({
      ...delivery,
      attempt: count,
      ok: z.boolean(),
      status: z.number().nullable(),
      ms: z.number(),
      error: z.string().nullable(),
      triedAt: at,
      nextTryAt: at.nullable(),
    }),
    ['deliveryId'],
  ),
  WebhookRequeued: stored(z.strictObject({ ...delivery, userId: id.exactOptional(), requeuedAt: at }), ['deliveryId']),
  WebhookForgotten: stored(z.strictObject({ ...delivery, arrivedAt: at.exactOptional(), forgottenAt: at }), ['deliveryId']),
} satisfies StoredTypes<WebhookDeliveryEvent>;
