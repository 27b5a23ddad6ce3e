/** Starting a subscription: its object, its first invoice, the first attempt to charge it. */
import type Stripe from 'stripe';
import { change, need, needCustomer, type SandboxContext } from '../books/context.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { ApiError, invalid } from '../server/apiError.ts';
import { giveDiscount } from './discounts.ts';
import { chargeInvoice, methodFor, writeInvoice } from './invoicing.ts';
import { itemList, newItem, recurringPrice } from './items.ts';
import { afterPaid } from './lifecycle.ts';
import { cycleLines } from './lines.ts';
import { endOfPeriod, rhythmOf } from './periods.ts';

export type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete';

export type NewSubscription = {
  readonly customer: string;
  readonly items: readonly { readonly price: string; readonly quantity: number }[];
  /** null: no trial. */
  readonly trialEnd: number | null;
  readonly missingMethod?: 'cancel' | 'create_invoice' | 'pause';
  readonly discounts: readonly DiscountChoice[];
  readonly metadata: Stripe.Metadata;
  readonly description?: string | null;
  readonly method: string | null;
  readonly keepMethod?: 'off' | 'on_subscription';
  readonly behavior: PaymentBehavior;
  readonly offSession: boolean;
  readonly cancelAtPeriodEnd?: boolean;
  /** The checkout session it was created by. */
  readonly session?: string | null;
};

function blank(
  id: string,
  customer: string,
  given: NewSubscription,
  prices: readonly Stripe.Price[],
  context: SandboxContext,
): Stripe.Subscription {
  const [first] = prices;
  if (!first) throw invalid('Missing required param: items.', 'parameter_missing', 'items');
  const same = prices.every(
    (price) => price.currency === first.currency && JSON.stringify(rhythmOf(price)) === JSON.stringify(rhythmOf(first)),
  );
  if (!same)
    throw invalid('Currency and interval fields must match across all plans on this subscription.', undefined, 'items');
  const anchor = given.trialEnd ?? context.now;
  const period = { start: context.now, end: given.trialEnd ?? endOfPeriod(context.now, context.now, first) };
  const items = prices.map((price, index) =>
    newItem(context, {
      subscription: id,
      price,
      quantity: given.items[index]?.quantity ?? 1,
      period,
      created: context.now,
    }),
  );
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: given.cancelAtPeriodEnd ? period.end : null,
    cancel_at_period_end: given.cancelAtPeriodEnd ?? false,
    canceled_at: given.cancelAtPeriodEnd ? context.now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: context.now,
    currency: first.currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.method,
    default_source: null,
    default_tax_rates: [],
    description: given.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: itemList(id, items),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: given.keepMethod ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: context.now,
    status: given.trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: given.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: given.missingMethod ?? 'create_invoice' },
    },
    trial_start: given.trialEnd === null ? null : context.now,
  };
}

const NO_METHOD =
  'This customer has no attached payment source or default payment method. Please consider adding a default payment method.';

/** @throws ApiError when it cannot be created, or must not be left unpaid */
export function startSubscription(context: SandboxContext, given: NewSubscription): Stripe.Subscription {
  const customer = needCustomer(context, given.customer);
  const prices = given.items.map(({ price }, index) => recurringPrice(context, price, `items[${index}][price]`));
  const id = context.newId('sub');
  const made = blank(id, customer.id, given, prices, context);
  context.store.put('subscription', made);
  context.store.put('customer', { ...customer, currency: made.currency });
  const discounts = given.discounts.map(
    (choice) =>
      giveDiscount(context, choice, { subscription: id, customer: customer.id, session: given.session ?? null }).id,
  );
  const subscription = { ...made, discounts };
  context.store.put('subscription', subscription);
  context.emit('customer.subscription.created', subscription);
  const period = { start: context.now, end: subscription.items.data[0]?.current_period_end ?? context.now };
  const invoice = writeInvoice(context, {
    subscription,
    reason: 'subscription_create',
    lines: cycleLines(context, subscription.items.data, period, given.trialEnd !== null),
    discounts,
  });
  context.store.put('subscription', { ...subscription, latest_invoice: invoice.id });
  if (invoice.status === 'paid') afterPaid(context, invoice);
  else if (given.behavior !== 'default_incomplete') payFirst(context, subscription, invoice, given);
  return need(context, 'subscription', id);
}

function payFirst(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  { behavior, offSession, customer }: NewSubscription,
): void {
  const method = methodFor(context, subscription, customer);
  if (!method) throw invalid(NO_METHOD, 'resource_missing', 'customer');
  const tried = chargeInvoice(context, invoice, method, { offSession });
  if (behavior !== 'error_if_incomplete' || tried?.intent.status === 'succeeded') return;
  const { payment_intent: _, ...refused } = tried?.refused ?? {
    type: 'card_error' as const,
    code: 'subscription_payment_intent_requires_action',
    message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
  };
  throw new ApiError(402, refused);
}

/** The subscription's future payment method; it must belong to its customer. @throws ApiError */
export function ownMethod(context: SandboxContext, customer: string, id: string): string {
  const method = need(context, 'payment_method', id, 'default_payment_method');
  if (method.customer !== customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      'resource_missing',
      'default_payment_method',
    );
  return id;
}

/** Resumes a paused subscription: a new period begins now. */
export function resume(context: SandboxContext, subscription: Stripe.Subscription): Stripe.Subscription {
  if (subscription.status !== 'paused') throw invalid('The subscription is not paused.');
  const price = subscription.items.data[0]?.price;
  const end = price ? endOfPeriod(context.now, context.now, price) : context.now;
  const resumed = change(
    context,
    'subscription',
    subscription,
    { billing_cycle_anchor: context.now, status: 'active' },
    'customer.subscription.resumed',
  );
  return beginAgain(context, resumed, end);
}

const beginAgain = (context: SandboxContext, subscription: Stripe.Subscription, end: number): Stripe.Subscription => {
  const period = { start: context.now, end };
  const items = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: period.start,
    current_period_end: period.end,
  }));
  const begun = { ...subscription, items: itemList(subscription.id, items) };
  const invoice = writeInvoice(context, {
    subscription: begun,
    reason: 'subscription_update',
    lines: cycleLines(context, items, period),
    discounts: [],
  });
  const waiting = { ...begun, latest_invoice: invoice.id };
  context.store.put('subscription', waiting);
  const method = methodFor(context, waiting, typeof waiting.customer === 'string' ? waiting.customer : '');
  if (invoice.status === 'open' && method) chargeInvoice(context, invoice, method, { offSession: false });
  return need(context, 'subscription', subscription.id);
};
