/** Stored events of the payment provider's events. The provider's ids are no secret: they are on its receipts, too. */
import * as z from 'zod';
import type { ProviderEventEvent } from '../providerEvent/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('payment'), paymentIntentId: id }),
  z.strictObject({ kind: z.literal('subscription'), subscriptionId: id }),
  z.strictObject({ kind: z.literal('invoice'), invoiceId: id }),
]);

export const PROVIDER_EVENT_TYPES = {
  ProviderEventReceived: stored(
    z.strictObject({
      eventId: id,
      eventType: z.string(),
      createdAt: at,
      isLive: z.boolean(),
      account: id.nullable(),
      objectId: id.nullable(),
      amount: z.int().nullable(),
      currency: z.string().nullable(),
      subject,
      source: z.enum(['webhook', 'sweep']),
      receivedAt: at,
    }),
    ['eventId'],
  ),
  ProviderEventApplied: stored(z.strictObject({ eventId: id, userId: id, outcome: z.enum(['recorded', 'nothing_new']), appliedAt: at }), ['eventId', 'userId']),
  ProviderEventIgnored: stored(
    z.strictObject({ eventId: id, userId: id.nullable(), reason: z.enum(['not_ours', 'gone', 'account_deleted', 'given_up']), ignoredAt: at }),
    ['eventId'],
  ),
  ProviderEventRequeued: stored(z.strictObject({ eventId: id, requeuedAt: at }), ['eventId']),
} satisfies StoredTypes<ProviderEventEvent>;
