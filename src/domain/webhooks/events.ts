/**
 * Storage format, version with care. Streams: `webhooks-{userId}`: the endpoints of one account; `webhook-secret-{endpointId}`: what signs, in a
 * stream of its own that is deleted for good with the endpoint; `webhook-delivery-{deliveryId}`: one message to one endpoint.
 */
import type { WebhookEvent } from '../../model/programs.ts';

/** `test`: asked for by the owner. */
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
  /** Messages to it begin to fail: since the first of its failed tries. Said once, until one arrives again or its owner enables it. */
  | { readonly type: 'WebhookFailing'; readonly data: { readonly endpointId: string; readonly userId: string; readonly failingSince: string } }
  | { readonly type: 'WebhookRecovered'; readonly data: { readonly endpointId: string; readonly userId: string; readonly recoveredAt: string } }
  | { readonly type: 'WebhookRemoved'; readonly data: { readonly endpointId: string; readonly userId: string; readonly removedAt: string } }
  /** The account is gone: what stood before this is erased, and nothing follows. */
  | { readonly type: 'WebhooksClosed'; readonly data: { readonly userId: string; readonly endpointIds: readonly string[]; readonly closedAt: string } };

export type WebhookSecretEvent =
  | { readonly type: 'WebhookSecretSet'; readonly data: { readonly endpointId: string; readonly secret: string } }
  /** What stood before it in its stream is erased: it says itself what still signs beside the new secret. */
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
      /** `body` is sent as it stands here, at every try. */
      readonly data: Delivery & { readonly userId: string; readonly event: DeliveredEvent; readonly body: string; readonly queuedAt: string };
    }
  /** Written before anything is sent: of several workers one sends. */
  | { readonly type: 'WebhookTryStarted'; readonly data: Delivery & { readonly attempt: number; readonly startedAt: string } }
  | {
      readonly type: 'WebhookTried';
      readonly data: Delivery & {
        readonly attempt: number;
        readonly ok: boolean;
        /** Of the answer; null without one. */
        readonly status: number | null;
        readonly ms: number;
        readonly error: string | null;
        readonly triedAt: string;
        /** Null: it has arrived, or is given up. */
        readonly nextTryAt: string | null;
      };
    }
  /** Events of earlier versions do not say whose it is. */
  | { readonly type: 'WebhookRequeued'; readonly data: Delivery & { readonly userId?: string; readonly requeuedAt: string } }
  /** `arrivedAt`: when it arrived last, which its endpoint goes on telling. */
  | { readonly type: 'WebhookForgotten'; readonly data: Delivery & { readonly arrivedAt?: string; readonly forgottenAt: string } };
