/** The status of a subscription: the effects of a payment's outcome, of time, and of its owner. */
import type Stripe from 'stripe';
import { change, need, type SandboxContext } from '../books/context.ts';
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
function subscriptionOf(context: SandboxContext, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  return context.store.get('subscription', idOf(invoice.parent?.subscription_details?.subscription) ?? '');
}

/** Applies the changes that were pending payment. */
function applyPending(context: SandboxContext, subscription: Stripe.Subscription): Stripe.Subscription {
  const { pending_update } = subscription;
  if (!pending_update?.subscription_items) return subscription;
  const items = pending_update.subscription_items;
  const applied = change(
    context,
    'subscription',
    subscription,
    {
      items: itemList(subscription.id, items),
      pending_update: null,
      billing_cycle_anchor: pending_update.billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    },
    UPDATED,
  );
  context.emit('customer.subscription.pending_update_applied', applied);
  return applied;
}

/** Drops a change that was pending payment. */
function dropPending(context: SandboxContext, id: string): void {
  const kept = change(context, 'subscription', need(context, 'subscription', id), { pending_update: null }, UPDATED);
  context.emit('customer.subscription.pending_update_expired', kept);
}

/** Voids an invoice at the merchant's request, along with the change pending its payment. */
export function giveUpInvoice(context: SandboxContext, invoice: Stripe.Invoice): Stripe.Invoice {
  const given = voidInvoice(context, invoice);
  const subscription = subscriptionOf(context, invoice);
  if (subscription?.pending_update && idOf(subscription.latest_invoice) === invoice.id)
    dropPending(context, subscription.id);
  return given;
}

/** An invoice was paid: its subscription continues. */
export function afterPaid(context: SandboxContext, invoice: Stripe.Invoice, method: string | null = null): void {
  const subscription = subscriptionOf(context, invoice);
  if (!subscription || isOver(subscription)) return;
  const applied = applyPending(context, subscription);
  const isLatest = applied.latest_invoice === invoice.id;
  const wakes = isLatest && ['incomplete', 'past_due', 'unpaid'].includes(applied.status);
  const keeps =
    method !== null &&
    applied.default_payment_method === null &&
    applied.payment_settings?.save_default_payment_method === 'on_subscription';
  if (!wakes && !keeps) return;
  change(
    context,
    'subscription',
    applied,
    { ...(wakes ? { status: 'active' as const } : {}), ...(keeps ? { default_payment_method: method } : {}) },
    UPDATED,
  );
}

/** An attempt to pay an invoice failed. */
export function afterFailure(context: SandboxContext, invoice: Stripe.Invoice, needsOwner = false): void {
  const subscription = subscriptionOf(context, invoice);
  const isFirst = invoice.billing_reason === 'subscription_create';
  const goesOn =
    subscription !== undefined && !isOver(subscription) && !isFirst && subscription.pending_update === null;
  const wait = goesOn ? RETRY_DAYS[invoice.attempt_count] : undefined;
  const failed = noteFailure(context, invoice, wait === undefined ? null : context.now + wait * DAY);
  if (needsOwner) context.emit('invoice.payment_action_required', failed);
  if (!goesOn) return;
  if (wait !== undefined) {
    if (subscription.status === 'active' || subscription.status === 'trialing')
      change(context, 'subscription', subscription, { status: 'past_due' }, UPDATED);
    return;
  }
  // The owner may still try manually after our last attempt: that changes nothing more.
  if (invoice.attempt_count > RETRY_DAYS.length) return;
  if (context.afterLastTry === 'cancel') endSubscription(context, subscription, 'payment_failed');
  else change(context, 'subscription', subscription, { status: 'unpaid' }, UPDATED);
}

/** A payment ended, successfully or not: continues whatever depended on it. */
export function settled(context: SandboxContext, intent: Stripe.PaymentIntent): void {
  const purpose = context.store.get('intent_purpose', intent.id);
  const invoice = purpose?.invoice ? context.store.get('invoice', purpose.invoice) : undefined;
  if (invoice?.status !== 'open') return;
  if (intent.status === 'succeeded')
    afterPaid(context, settleInvoice(context, invoice, intent), idOf(intent.payment_method));
  else afterFailure(context, invoice, intent.last_payment_error?.code === 'authentication_required');
}

type Why = 'cancellation_requested' | 'payment_failed';

/** Ends it now. Open invoices stay open, but are not charged automatically. */
export function endSubscription(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  reason: Why,
  details: Partial<Stripe.Subscription.CancellationDetails> = {},
): Stripe.Subscription {
  for (const invoice of context.store.each('invoice', { tag: subscription.id })) {
    if (invoice.status !== 'open') continue;
    if (subscription.status === 'incomplete') voidInvoice(context, invoice);
    else context.store.put('invoice', { ...invoice, auto_advance: false, next_payment_attempt: null });
  }
  for (const { id } of [...context.store.each('pending_line', { tag: subscription.id })])
    context.store.remove('pending_line', id);
  const schedule = context.store.get('subscription_schedule', idOf(subscription.schedule) ?? '');
  if (schedule)
    change(
      context,
      'subscription_schedule',
      schedule,
      { status: 'canceled', canceled_at: context.now, current_phase: null },
      'subscription_schedule.canceled',
    );
  return change(
    context,
    'subscription',
    need(context, 'subscription', subscription.id),
    {
      status: 'canceled',
      ended_at: context.now,
      canceled_at: subscription.canceled_at ?? context.now,
      pending_update: null,
      schedule: null,
      cancellation_details: {
        comment: null,
        feedback: null,
        feedback_option: null,
        ...subscription.cancellation_details,
        ...details,
        reason,
      },
    },
    'customer.subscription.deleted',
  );
}

/** Ends all subscriptions of a customer. */
export function endAllOf(context: SandboxContext, customer: string): void {
  for (const subscription of [...context.store.each('subscription', { customer })])
    if (!isOver(subscription)) endSubscription(context, subscription, 'cancellation_requested');
}

/** Starts a period: its lines, the invoice, the attempt to charge it. */
export function beginPeriod(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  period: Period,
): Stripe.Subscription {
  const { status } = subscription;
  const begun = change(
    context,
    'subscription',
    subscription,
    {
      items: itemList(subscription.id, withPeriod(subscription.items.data, period)),
      status: status === 'trialing' || status === 'paused' ? 'active' : status,
      discounts: lastingDiscounts(
        context,
        subscription.discounts.map((each) => idOf(each) ?? ''),
      ),
    },
    UPDATED,
  );
  // An unpaid subscription is neither provided nor billed any further.
  if (status === 'unpaid') return begun;
  const invoice = writeInvoice(context, {
    subscription: begun,
    reason: 'subscription_cycle',
    lines: cycleLines(context, begun.items.data, period),
    discounts: begun.discounts.map((each) => idOf(each) ?? ''),
  });
  context.store.put('subscription', { ...begun, latest_invoice: invoice.id });
  if (invoice.status === 'paid') afterPaid(context, invoice);
  else collect(context, invoice);
  return need(context, 'subscription', subscription.id);
}

/** Tries to charge an invoice off-session. */
export function collect(context: SandboxContext, invoice: Stripe.Invoice): void {
  const method = methodFor(context, subscriptionOf(context, invoice), idOf(invoice.customer) ?? '');
  if (!method) afterFailure(context, invoice);
  else chargeInvoice(context, invoice, method, { offSession: true });
}

/** The end of a period, of a trial, or of the wait for a first payment or a change: whichever came first. */
export function subscriptionDue(context: SandboxContext, subscription: Stripe.Subscription): void {
  if (subscription.status === 'incomplete') {
    for (const invoice of context.store.each('invoice', { tag: subscription.id }))
      if (invoice.status === 'open') voidInvoice(context, invoice);
    change(context, 'subscription', subscription, { status: 'incomplete_expired', ended_at: context.now }, UPDATED);
    return;
  }
  const { pending_update, cancel_at } = subscription;
  if (pending_update && pending_update.expires_at <= context.now) {
    const latest = context.store.get('invoice', idOf(subscription.latest_invoice) ?? '');
    if (latest?.status === 'open') voidInvoice(context, latest);
    dropPending(context, subscription.id);
    return;
  }
  if (cancel_at !== null && cancel_at <= context.now) {
    endSubscription(context, subscription, 'cancellation_requested');
    return;
  }
  if (subscription.status === 'trialing' && !methodFor(context, subscription, idOf(subscription.customer) ?? '')) {
    const wish = subscription.trial_settings?.end_behavior.missing_payment_method;
    if (wish === 'cancel') {
      endSubscription(context, subscription, 'cancellation_requested');
      return;
    }
    if (wish === 'pause') {
      change(context, 'subscription', subscription, { status: 'paused' }, 'customer.subscription.paused');
      return;
    }
  }
  const { end } = periodOf(subscription);
  const price = subscription.items.data[0]?.price;
  if (price)
    beginPeriod(context, subscription, { start: end, end: endOfPeriod(subscription.billing_cycle_anchor, end, price) });
}
