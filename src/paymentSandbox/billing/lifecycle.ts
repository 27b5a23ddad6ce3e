/** The status of a subscription: the effects of a payment's outcome, of time, and of its owner. */
import type Stripe from 'stripe';
import { change, type Desk, need } from '../books/desk.ts';
import { idOf } from '../books/store.ts';
import { lastingDiscounts } from './discounts.ts';
import { chargeInvoice, methodFor, noteFailure, settleInvoice, voidInvoice, writeInvoice } from './invoicing.ts';
import { itemList, type Period, periodOf, withPeriod } from './items.ts';
import { cycleLines } from './lines.ts';
import { endOfPeriod } from './periods.ts';

const DAY = 86_400;
/** Days from a failed attempt to the next. After the last one the subscription ends. */
const RETRY_DAYS: readonly number[] = [3, 5, 7];

const UPDATED = 'customer.subscription.updated';
const SLEEPING: readonly string[] = ['canceled', 'incomplete_expired'];

export const isOver = ({ status }: Stripe.Subscription): boolean => SLEEPING.includes(status);

/** The subscription that an invoice belongs to. */
function subscriptionOf(desk: Desk, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  return desk.store.get('subscription', idOf(invoice.parent?.subscription_details?.subscription) ?? '');
}

/** Applies the changes that were pending payment. */
function applyPending(desk: Desk, subscription: Stripe.Subscription): Stripe.Subscription {
  const { pending_update } = subscription;
  if (!pending_update?.subscription_items) return subscription;
  const items = pending_update.subscription_items;
  const applied = change(
    desk,
    'subscription',
    subscription,
    {
      items: itemList(subscription.id, items),
      pending_update: null,
      billing_cycle_anchor: pending_update.billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    },
    UPDATED,
  );
  desk.emit('customer.subscription.pending_update_applied', applied);
  return applied;
}

/** Drops a change that was pending payment. */
function dropPending(desk: Desk, id: string): void {
  const kept = change(desk, 'subscription', need(desk, 'subscription', id), { pending_update: null }, UPDATED);
  desk.emit('customer.subscription.pending_update_expired', kept);
}

/** Voids an invoice at the merchant's request, along with the change pending its payment. */
export function giveUpInvoice(desk: Desk, invoice: Stripe.Invoice): Stripe.Invoice {
  const given = voidInvoice(desk, invoice);
  const subscription = subscriptionOf(desk, invoice);
  if (subscription?.pending_update && idOf(subscription.latest_invoice) === invoice.id) dropPending(desk, subscription.id);
  return given;
}

/** An invoice was paid: its subscription continues. */
export function afterPaid(desk: Desk, invoice: Stripe.Invoice, method: string | null = null): void {
  const subscription = subscriptionOf(desk, invoice);
  if (!subscription || isOver(subscription)) return;
  const applied = applyPending(desk, subscription);
  const isLatest = applied.latest_invoice === invoice.id;
  const wakes = isLatest && ['incomplete', 'past_due', 'unpaid'].includes(applied.status);
  const keeps = method !== null && applied.default_payment_method === null && applied.payment_settings?.save_default_payment_method === 'on_subscription';
  if (!wakes && !keeps) return;
  change(desk, 'subscription', applied, { ...(wakes ? { status: 'active' as const } : {}), ...(keeps ? { default_payment_method: method } : {}) }, UPDATED);
}

/** An attempt to pay an invoice failed. */
export function afterFailure(desk: Desk, invoice: Stripe.Invoice, needsOwner = false): void {
  const subscription = subscriptionOf(desk, invoice);
  const isFirst = invoice.billing_reason === 'subscription_create';
  const goesOn = subscription !== undefined && !isOver(subscription) && !isFirst && subscription.pending_update === null;
  const wait = goesOn ? RETRY_DAYS[invoice.attempt_count] : undefined;
  const failed = noteFailure(desk, invoice, wait === undefined ? null : desk.now + wait * DAY);
  if (needsOwner) desk.emit('invoice.payment_action_required', failed);
  if (!goesOn) return;
  if (wait !== undefined) {
    if (subscription.status === 'active' || subscription.status === 'trialing') change(desk, 'subscription', subscription, { status: 'past_due' }, UPDATED);
    return;
  }
  // The owner may still try manually after our last attempt: that changes nothing more.
  if (invoice.attempt_count > RETRY_DAYS.length) return;
  if (desk.afterLastTry === 'cancel') endSubscription(desk, subscription, 'payment_failed');
  else change(desk, 'subscription', subscription, { status: 'unpaid' }, UPDATED);
}

/** A payment ended, successfully or not: continues whatever depended on it. */
export function settled(desk: Desk, intent: Stripe.PaymentIntent): void {
  const purpose = desk.store.get('intent_purpose', intent.id);
  const invoice = purpose?.invoice ? desk.store.get('invoice', purpose.invoice) : undefined;
  if (invoice?.status !== 'open') return;
  if (intent.status === 'succeeded') afterPaid(desk, settleInvoice(desk, invoice, intent), idOf(intent.payment_method));
  else afterFailure(desk, invoice, intent.last_payment_error?.code === 'authentication_required');
}

type Why = 'cancellation_requested' | 'payment_failed';

/** Ends it now. Open invoices stay open, but are not charged automatically. */
export function endSubscription(
  desk: Desk,
  subscription: Stripe.Subscription,
  reason: Why,
  said: Partial<Stripe.Subscription.CancellationDetails> = {},
): Stripe.Subscription {
  for (const invoice of desk.store.each('invoice', { tag: subscription.id })) {
    if (invoice.status !== 'open') continue;
    if (subscription.status === 'incomplete') voidInvoice(desk, invoice);
    else desk.store.put('invoice', { ...invoice, auto_advance: false, next_payment_attempt: null });
  }
  for (const { id } of [...desk.store.each('pending_line', { tag: subscription.id })]) desk.store.remove('pending_line', id);
  const schedule = desk.store.get('subscription_schedule', idOf(subscription.schedule) ?? '');
  if (schedule)
    change(desk, 'subscription_schedule', schedule, { status: 'canceled', canceled_at: desk.now, current_phase: null }, 'subscription_schedule.canceled');
  return change(
    desk,
    'subscription',
    need(desk, 'subscription', subscription.id),
    {
      status: 'canceled',
      ended_at: desk.now,
      canceled_at: subscription.canceled_at ?? desk.now,
      pending_update: null,
      schedule: null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, ...subscription.cancellation_details, ...said, reason },
    },
    'customer.subscription.deleted',
  );
}

/** Ends all subscriptions of a customer. */
export function endAllOf(desk: Desk, customer: string): void {
  for (const subscription of [...desk.store.each('subscription', { customer })])
    if (!isOver(subscription)) endSubscription(desk, subscription, 'cancellation_requested');
}

/** Starts a period: its lines, the invoice, the attempt to charge it. */
export function beginPeriod(desk: Desk, subscription: Stripe.Subscription, period: Period): Stripe.Subscription {
  const { status } = subscription;
  const begun = change(
    desk,
    'subscription',
    subscription,
    {
      items: itemList(subscription.id, withPeriod(subscription.items.data, period)),
      status: status === 'trialing' || status === 'paused' ? 'active' : status,
      discounts: lastingDiscounts(
        desk,
        subscription.discounts.map((each) => idOf(each) ?? ''),
      ),
    },
    UPDATED,
  );
  // An unpaid subscription is neither provided nor billed any further.
  if (status === 'unpaid') return begun;
  const invoice = writeInvoice(desk, {
    subscription: begun,
    reason: 'subscription_cycle',
    lines: cycleLines(desk, begun.items.data, period),
    discounts: begun.discounts.map((each) => idOf(each) ?? ''),
  });
  desk.store.put('subscription', { ...begun, latest_invoice: invoice.id });
  if (invoice.status === 'paid') afterPaid(desk, invoice);
  else collect(desk, invoice);
  return need(desk, 'subscription', subscription.id);
}

/** Tries to charge an invoice off-session. */
export function collect(desk: Desk, invoice: Stripe.Invoice): void {
  const method = methodFor(desk, subscriptionOf(desk, invoice), idOf(invoice.customer) ?? '');
  if (!method) afterFailure(desk, invoice);
  else chargeInvoice(desk, invoice, method, { offSession: true });
}

/** The end of a period, of a trial, or of the wait for a first payment or a change: whichever came first. */
export function subscriptionDue(desk: Desk, subscription: Stripe.Subscription): void {
  if (subscription.status === 'incomplete') {
    for (const invoice of desk.store.each('invoice', { tag: subscription.id })) if (invoice.status === 'open') voidInvoice(desk, invoice);
    change(desk, 'subscription', subscription, { status: 'incomplete_expired', ended_at: desk.now }, UPDATED);
    return;
  }
  const { pending_update, cancel_at } = subscription;
  if (pending_update && pending_update.expires_at <= desk.now) {
    const latest = desk.store.get('invoice', idOf(subscription.latest_invoice) ?? '');
    if (latest?.status === 'open') voidInvoice(desk, latest);
    dropPending(desk, subscription.id);
    return;
  }
  if (cancel_at !== null && cancel_at <= desk.now) {
    endSubscription(desk, subscription, 'cancellation_requested');
    return;
  }
  if (subscription.status === 'trialing' && !methodFor(desk, subscription, idOf(subscription.customer) ?? '')) {
    const wish = subscription.trial_settings?.end_behavior.missing_payment_method;
    if (wish === 'cancel') {
      endSubscription(desk, subscription, 'cancellation_requested');
      return;
    }
    if (wish === 'pause') {
      change(desk, 'subscription', subscription, { status: 'paused' }, 'customer.subscription.paused');
      return;
    }
  }
  const { end } = periodOf(subscription);
  const price = subscription.items.data[0]?.price;
  if (price) beginPeriod(desk, subscription, { start: end, end: endOfPeriod(subscription.billing_cycle_anchor, end, price) });
}
