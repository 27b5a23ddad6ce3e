/** The provider's events, from webhooks and from its API. Only the reference to their subject is used. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { type EventSubject, type PaymentMode, type Payments, type ProviderEvent, WebhookRefused } from '../payments.ts';
import { eachOf, isoOf, type StripeClient } from './client.ts';

/**
 * Event types for the webhook endpoint and the API query: all that affect what is stored here. At most 20, the
 * provider's limit.
 */
const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  // A non-card refund is mostly still pending when its charge is reported as refunded.
  'refund.updated',
];

const TOLERANCE_SECONDS = 300;

/** Also what an id becomes part of: names of streams, and addresses of the provider's API. */
const ID = /^[\w-]{1,255}$/;
/** The last second of the year 9999. */
const MAX_UNIX_SECONDS = 253_402_300_799;
/** What is used of an event. Its object is whatever the type says. */
const Shape = z.looseObject({
  object: z.literal('event'),
  id: z.string().regex(ID),
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.int().min(0).max(MAX_UNIX_SECONDS),
  data: z.looseObject({ object: z.looseObject({}) }),
});

export type EventOptions = {
  readonly webhookSecrets: readonly string[];
  readonly mode: PaymentMode;
  readonly now: () => string;
};

export function eventCalls(
  client: StripeClient,
  options: EventOptions,
): Pick<Payments, 'checkWebhookTime' | 'readWebhook' | 'eventsSince'> {
  return {
    checkWebhookTime: (signature) => checkTime(signature, options.now()),
    readWebhook: (body, signature) => readWebhook(client, options, body, signature),
    async *eventsSince(since) {
      const gte = Math.floor(Date.parse(since) / 1_000);
      const newestFirst: ProviderEvent[] = [];
      const found = eachOf(client, (stripe, page) =>
        stripe.events.list({ created: { gte }, types: EVENT_TYPES, ...page }),
      );
      for await (const event of found) newestFirst.push(viewOf(event));
      yield* newestFirst.reverse();
    },
  };
}

/** Stricter than the library, which reads the beginning of a number and accepts any time in the future. */
function checkTime(signature: string | undefined, now: string): void {
  const times = (signature ?? '').split(',').filter((part) => part.startsWith('t='));
  const time = times.length === 1 ? (times[0] ?? '').slice(2) : '';
  if (!/^\d{1,12}$/.test(time)) throw new WebhookRefused('The signature has no time.');
  if (Math.abs(Math.floor(Date.parse(now) / 1_000) - Number(time)) > TOLERANCE_SECONDS)
    throw new WebhookRefused('The time of the signature is too far from now.');
}

function readWebhook(
  client: StripeClient,
  { webhookSecrets, mode, now }: EventOptions,
  body: Uint8Array,
  signature: string | undefined,
): ProviderEvent {
  checkTime(signature, now());
  const event = signed(client, {
    text: textOf(body),
    signature: signature ?? '',
    secrets: webhookSecrets,
    at: Date.parse(now()),
  });
  if (!event || !Shape.safeParse(event).success) throw new WebhookRefused('This is no event.');
  if (event.livemode !== (mode === 'live'))
    throw new WebhookRefused(
      event.livemode ? 'This event moves money; the key does not.' : 'This event is of test mode.',
    );
  if (event.account) throw new WebhookRefused('This event is of another account.');
  return viewOf(event);
}

/** Strict decoding: the library would accept a byte order mark and invalid UTF-8. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookRefused('The body is no text.');
  }
}

type Signed = {
  readonly text: string;
  readonly signature: string;
  readonly secrets: readonly string[];
  readonly at: number;
};

/** The signed payload may be any JSON, not necessarily an event. */
function signed(client: StripeClient, { text, signature, secrets, at }: Signed): Stripe.Event | null {
  let why = 'No webhook secret is configured.';
  for (const secret of secrets) {
    try {
      return client.webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, at);
    } catch (error) {
      why = error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : 'The signature cannot be read.';
    }
  }
  throw new WebhookRefused(why);
}

/** A record with fields that an object of any event may have. */
type About = Readonly<Record<string, unknown>>;

const textIn = (about: About, name: string): string | null => {
  const value = about[name];
  const text = typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
  return typeof text === 'string' && ID.test(text) ? text : null;
};

function viewOf(event: Stripe.Event): ProviderEvent {
  const about: About = { ...event.data.object };
  const amount = ['amount', 'amount_due', 'amount_total']
    .map((name) => about[name])
    .find((value) => typeof value === 'number');
  return {
    eventId: event.id,
    type: event.type,
    createdAt: isoOf(event.created),
    isLive: event.livemode,
    account: event.account ?? null,
    objectId: textIn(about, 'id'),
    amount: typeof amount === 'number' ? amount : null,
    currency: textIn(about, 'currency'),
    subject: subjectOf(event.type, about),
  };
}

const payment = (paymentIntentId: string | null): EventSubject | null =>
  paymentIntentId === null ? null : { kind: 'payment', paymentIntentId };
const subscription = (subscriptionId: string | null): EventSubject | null =>
  subscriptionId === null ? null : { kind: 'subscription', subscriptionId };

/** Matched by type prefix, so that new types of these kinds are covered. */
const SUBJECTS: readonly (readonly [prefix: string, of: (about: About) => EventSubject | null])[] = [
  ['payment_intent.', (about) => payment(textIn(about, 'id'))],
  ['charge.', (about) => payment(textIn(about, 'payment_intent'))],
  ['refund.', (about) => payment(textIn(about, 'payment_intent'))],
  ['customer.subscription.', (about) => subscription(textIn(about, 'id'))],
  [
    'subscription_schedule.',
    (about) => subscription(textIn(about, 'subscription') ?? textIn(about, 'released_subscription')),
  ],
  [
    'checkout.session.',
    (about) => subscription(textIn(about, 'subscription')) ?? payment(textIn(about, 'payment_intent')),
  ],
  [
    'invoice.',
    (about) => {
      const invoiceId = textIn(about, 'id');
      return invoiceId === null ? null : { kind: 'invoice', invoiceId };
    },
  ],
];

function subjectOf(type: string, about: About): EventSubject | null {
  return SUBJECTS.find(([prefix]) => type.startsWith(prefix))?.[1](about) ?? null;
}
