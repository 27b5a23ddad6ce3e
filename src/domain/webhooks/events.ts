/**
 * Storage format, version with care. Streams: `webhooks-{userId}`: the endpoints of one account; `webhook-secret-{endpointId}`: its signing secret, in a
 * separate stream that is deleted permanently with the endpoint; `webhook-delivery-{deliveryId}`: one message to one endpoint.
 */
import type { WebhookEvent } from '../../model/programs.ts';

/** `test`: requested by the owner. */
export type DeliveredEvent = WebhookEvent | 'test';

export type WebhooksEvent =
  | {
      readonly type: 'WebhookAdded';
      readonly data: {
        readonly endpointId: string;
        readonly userId: string;
        readonly url: string;
        readonly events: readonly WebhookEvent[];
        readonly addedAt: string;
      };
    }
  | { readonly type: 'WebhookEnabled'; readonly data: { readonly endpointId: string; readonly userId: string; readonly enabledAt: string } }
  | {
      readonly type: 'WebhookDisabled';
      readonly data: { readonly endpointId: string; readonly userId: string; readonly reason: 'owner' | 'failing'; readonly disabledAt: string };
    }
  /** Deliveries are failing, since the first failed attempt. Recorded once, until one succeeds again or the owner enables the endpoint. */
  | { readonly type: 'WebhookFailing'; readonly data: { readonly endpointId: string; readonly userId: string; readonly failingSince: string } }
  | { readonly type: 'WebhookRecovered'; readonly data: { readonly endpointId: string; readonly userId: string; readonly recoveredAt: string } }
  | { readonly type: 'WebhookRemoved'; readonly data: { readonly endpointId: string; readonly userId: string; readonly removedAt: string } }
  /** The account is gone: earlier events are erased, and no others follow. */
  | { readonly type: 'WebhooksClosed'; readonly data: { readonly userId: string; readonly endpointIds: readonly string[]; readonly closedAt: string } };

export type WebhookSecretEvent =
  | { readonly type: 'WebhookSecretSet'; readonly data: { readonly endpointId: string; readonly secret: string } }
  /** Earlier events of its stream are erased, so it also states which former secret is still valid. */
  | {
      readonly type: 'WebhookSecretRotated';
      readonly data: {
        readonly endpointId: string;
        readonly secret: string;
        readonly former: { readonly secret: string; readonly until: string } | null;
        readonly rotatedAt: string;
      };
    };

type Delivery = { readonly deliveryId: string; readonly endpointId: string };

export type WebhookDeliveryEvent =
  | {
      readonly type: 'WebhookQueued';
      /** `body` is sent unchanged at every attempt. */
      readonly data: Delivery & { readonly userId: string; readonly event: DeliveredEvent; readonly body: string; readonly queuedAt: string };
    }
  /** Written before sending, so that only one of several workers sends it. */
  | { readonly type: 'WebhookTryStarted'; readonly data: Delivery & { readonly attempt: number; readonly startedAt: string } }
  | {
      readonly type: 'WebhookTried';
      readonly data: Delivery & {
        readonly attempt: number;
        readonly ok: boolean;
        /** HTTP status of the response; null if there was none. */
        readonly status: number | null;
        readonly ms: number;
        readonly error: string | null;
        readonly triedAt: string;
        /** Null if it was delivered or given up. */
        readonly nextTryAt: string | null;
      };
    }
  /** Events of earlier versions do not name the owner. */
  | { readonly type: 'WebhookRequeued'; readonly data: Delivery & { readonly userId?: string; readonly requeuedAt: string } }
  /** `arrivedAt`: the last successful delivery, which its endpoint continues to report. */
  | { readonly type: 'WebhookForgotten'; readonly data: Delivery & { readonly arrivedAt?: string; readonly forgottenAt: string } };
