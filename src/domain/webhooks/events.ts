/**
 * Storage format, version with care. Streams: `webhooks-{userId}`: the endpoints of one account;
 * `webhook-secret-{endpointId}`: its signing secret, in a separate stream that is deleted permanently with the
 * endpoint; `webhook-delivery-{deliveryId}`: one message to one endpoint.
 */
import * as z from 'zod';
import { WEBHOOK_EVENTS } from '../../model/programs.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const deliveryStream = (deliveryId: string): string => `webhook-delivery-${deliveryId}`;
export const webhooksStream = (userId: string): string => `webhooks-${userId}`;
export const webhookSecretStream = (endpointId: string): string => `webhook-secret-${endpointId}`;

/** `test`: requested by the owner. */
const deliveredEvent = z.enum([...WEBHOOK_EVENTS, 'test']);
export type DeliveredEvent = Infer<typeof deliveredEvent>;

const ofEndpoint = { endpointId: id, userId: id };

export const WEBHOOKS_EVENTS = {
  WebhookAdded: z.strictObject({
    ...ofEndpoint,
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    addedAt: at,
  }),
  WebhookEnabled: z.strictObject({ ...ofEndpoint, enabledAt: at }),
  WebhookDisabled: z.strictObject({ ...ofEndpoint, reason: z.enum(['owner', 'failing']), disabledAt: at }),
  /**
   * Deliveries are failing, since the first failed attempt. Recorded once, until one succeeds again or the owner
   * enables the endpoint.
   */
  WebhookFailing: z.strictObject({ ...ofEndpoint, failingSince: at }),
  WebhookRecovered: z.strictObject({ ...ofEndpoint, recoveredAt: at }),
  WebhookRemoved: z.strictObject({ ...ofEndpoint, removedAt: at }),
  /** The account is gone: earlier events are erased, and no others follow. */
  WebhooksClosed: z.strictObject({ userId: id, endpointIds: z.array(id), closedAt: at }),
};
export type WebhooksEvent = EventIn<typeof WEBHOOKS_EVENTS>;

export const WEBHOOK_SECRET_EVENTS = {
  WebhookSecretSet: z.strictObject({ endpointId: id, secret: z.string() }),
  /** Earlier events of its stream are erased, so it also states which former secret is still valid. */
  WebhookSecretRotated: z.strictObject({
    endpointId: id,
    secret: z.string(),
    former: z.strictObject({ secret: z.string(), until: at }).nullable(),
    rotatedAt: at,
  }),
};
export type WebhookSecretEvent = EventIn<typeof WEBHOOK_SECRET_EVENTS>;

/** `endpointId` is empty if the message was forgotten with its account, when the endpoint is no longer known. */
const ofDelivery = { deliveryId: id, endpointId: z.string() };

export const WEBHOOK_DELIVERY_EVENTS = {
  /** `body` is sent unchanged at every attempt. */
  WebhookQueued: z.strictObject({ ...ofDelivery, userId: id, event: deliveredEvent, body: z.string(), queuedAt: at }),
  /** Written before sending, so that only one of several workers sends it. */
  WebhookTryStarted: z.strictObject({ ...ofDelivery, attempt: count, startedAt: at }),
  WebhookTried: z.strictObject({
    ...ofDelivery,
    attempt: count,
    ok: z.boolean(),
    /** HTTP status of the response; null if there was none. */
    status: z.number().nullable(),
    ms: z.number(),
    error: z.string().nullable(),
    triedAt: at,
    /** Null if it was delivered or given up. */
    nextTryAt: at.nullable(),
  }),
  /** Events of earlier versions do not name the owner. */
  WebhookRequeued: z.strictObject({ ...ofDelivery, userId: id.exactOptional(), requeuedAt: at }),
  /** `arrivedAt`: the last successful delivery, which its endpoint continues to report. */
  WebhookForgotten: z.strictObject({ ...ofDelivery, arrivedAt: at.exactOptional(), forgottenAt: at }),
};
export type WebhookDeliveryEvent = EventIn<typeof WEBHOOK_DELIVERY_EVENTS>;
