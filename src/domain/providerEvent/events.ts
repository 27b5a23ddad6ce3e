/**
 * Storage format, version with care. Stream: `stripe-{eventId}`: one event of the payment provider, without its body,
 * which contains personal data: its subject is fetched when the event is processed. The provider's ids are no secret:
 * they are on its receipts, too.
 */
import * as z from 'zod';
import { at, type EventIn, type Infer, id } from '../eventSchemas.ts';

/** Named after the provider's id, so that the store itself rejects duplicates. */
export const providerEventStream = (eventId: string): string => `stripe-${eventId}`;

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('payment'), paymentIntentId: id }),
  z.strictObject({ kind: z.literal('subscription'), subscriptionId: id }),
  z.strictObject({ kind: z.literal('invoice'), invoiceId: id }),
]);
export type ProviderEventSubject = Infer<typeof subject>;

/**
 * `not_ours`: not made for an account of this installation. `gone`: no longer exists at the provider.
 * `account_deleted`: new, but its owner's account was deleted. `given_up`: by an operator, or after too many failures.
 */
const ignoreReason = z.enum(['not_ours', 'gone', 'account_deleted', 'given_up']);
export type IgnoreReason = Infer<typeof ignoreReason>;

export const PROVIDER_EVENT_EVENTS = {
  ProviderEventReceived: z.strictObject({
    eventId: id,
    /** The provider's name for it: `invoice.paid` … */
    eventType: z.string(),
    createdAt: at,
    isLive: z.boolean(),
    /** Set if it belongs to another provider account than the API key's. */
    account: id.nullable(),
    objectId: id.nullable(),
    /** As stated by the event, in cents; the provider's current data takes precedence. */
    amount: z.int().nullable(),
    currency: z.string().nullable(),
    subject,
    /** `sweep`: not delivered by a webhook but found in the provider's list. */
    source: z.enum(['webhook', 'sweep']),
    receivedAt: at,
  }),
  /** `nothing_new`: the bill already had it, from another event or the browser, or it changes nothing. */
  ProviderEventApplied: z.strictObject({
    eventId: id,
    userId: id,
    outcome: z.enum(['recorded', 'nothing_new']),
    appliedAt: at,
  }),
  ProviderEventIgnored: z.strictObject({ eventId: id, userId: id.nullable(), reason: ignoreReason, ignoredAt: at }),
  /** After it was given up, an operator had it processed after all. */
  ProviderEventRequeued: z.strictObject({ eventId: id, requeuedAt: at }),
};
export type ProviderEventEvent = EventIn<typeof PROVIDER_EVENT_EVENTS>;
