import * as z from 'zod';
import { WEBHOOK_EVENTS } from '../../model/programs.ts';

export const WebhookEventName = z.enum(WEBHOOK_EVENTS);
export type WebhookEventName = z.infer<typeof WebhookEventName>;

export const WebhookView = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEventName),
  active: z.boolean(),
  /** `failing`: disabled after a day of failed attempts. */
  disabled_reason: z.enum(['owner', 'failing']).nullable(),
  disabled_at: z.string().nullable(),
  created_at: z.string(),
  last_success_at: z.string().nullable(),
  /** Null if the last attempt succeeded. */
  failing_since: z.string().nullable(),
});
export type WebhookView = z.infer<typeof WebhookView>;

export const WebhooksResponse = z.object({
  success: z.literal(true),
  data: z.array(WebhookView),
  limit: z.number().int(),
});
export type WebhooksResponse = z.infer<typeof WebhooksResponse>;

export const AddWebhookRequest = z.object({
  url: z.string().trim().min(1, 'Please enter a URL').max(2000, 'An address has at most 2000 characters'),
  events: z.array(WebhookEventName).min(1, 'Please choose at least one event').max(10),
});
export type AddWebhookRequest = z.infer<typeof AddWebhookRequest>;
/** `secret` signs every message and is shown only once. */
export const AddWebhookResponse = z.object({ success: z.literal(true), secret: z.string(), data: WebhookView });
export type AddWebhookResponse = z.infer<typeof AddWebhookResponse>;

export const SwitchWebhookRequest = z.object({ active: z.boolean() });
export const WebhookResponse = z.object({ success: z.literal(true), data: WebhookView });
export type WebhookResponse = z.infer<typeof WebhookResponse>;
/**
 * `former: 'a_day'`: messages are also signed with the former secret for 24 hours; `'stop'`: it stops signing at once.
 */
export const RotateWebhookSecretRequest = z.object({ former: z.enum(['a_day', 'stop']) });
export type RotateWebhookSecretRequest = z.infer<typeof RotateWebhookSecretRequest>;
/** `secret` is shown only once. */
export const RotateWebhookSecretResponse = z.object({
  success: z.literal(true),
  secret: z.string(),
  former_until: z.string().nullable(),
});
export type RotateWebhookSecretResponse = z.infer<typeof RotateWebhookSecretResponse>;
export const RemoveWebhookResponse = z.object({ success: z.literal(true), message: z.string() });

export const WebhookDeliveryView = z.object({
  /** The same for every attempt, so that a receiver can detect repeats. */
  id: z.string(),
  event: z.enum(['job.completed', 'action.completed', 'test']),
  status: z.enum(['waiting', 'delivered', 'failed']),
  queued_at: z.string(),
  next_try_at: z.string().nullable(),
  tries: z.array(
    z.object({
      at: z.string(),
      ok: z.boolean(),
      status: z.number().int().nullable(),
      ms: z.number().int(),
      error: z.string().nullable(),
    }),
  ),
});
export type WebhookDeliveryView = z.infer<typeof WebhookDeliveryView>;

export const DeliveriesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  cursor: z.string().max(500).optional(),
});
export const DeliveriesResponse = z.object({
  success: z.literal(true),
  data: z.array(WebhookDeliveryView),
  cursor: z.string().nullable(),
});
export type DeliveriesResponse = z.infer<typeof DeliveriesResponse>;
export const QueuedDeliveryResponse = z.object({ success: z.literal(true), delivery_id: z.string() });
export type QueuedDeliveryResponse = z.infer<typeof QueuedDeliveryResponse>;
