/** Changing the price or quantity mid-period: immediately, prorated or not, paid or pending payment. */
import type Stripe from 'stripe';
import { change, need, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { ApiError, invalid } from '../server/apiError.ts';
import { chargeInvoice, methodFor, writeInvoice } from './invoicing.ts';
import { itemList, newItem, type Period, periodOf, recurringPrice, withPeriod } from './items.ts';
import { afterFailure, afterPaid } from './lifecycle.ts';
import { cycleLines, type Line, lineObject, prorationLines } from './lines.ts';
import { endOfPeriod, rhythmOf } from './periods.ts';
import type { PaymentBehavior } from './startSubscription.ts';

const PATIENCE_SECONDS = 23 * 3_600;

export type RequestedItem = {
  readonly id?: string | undefined;
  readonly price?: string | undefined;
  readonly quantity?: number | undefined;
  readonly deleted?: boolean | undefined;
};
export type Proration = 'always_invoice' | 'create_prorations' | 'none';

/** The requested items. @throws ApiError */
export function requestedItems(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  requested: readonly RequestedItem[],
): Stripe.SubscriptionItem[] {
  const period = periodOf(subscription);
  const items = new Map(subscription.items.data.map((item) => [item.id, item]));
  for (const [index, { id, price, quantity, deleted }] of requested.entries()) {
    const before = id === undefined ? undefined : items.get(id);
    if (id !== undefined && !before)
      throw invalid(`No such subscription_item: '${id}'`, 'resource_missing', `items[${index}][id]`);
    if (before && deleted) {
      items.delete(before.id);
      continue;
    }
    const wanted = price === undefined ? before?.price : recurringPrice(context, price, `items[${index}][price]`);
    if (!wanted)
      throw invalid(`Missing required param: items[${index}][price].`, 'parameter_missing', `items[${index}][price]`);
    if (!before && [...items.values()].some((item) => item.price.id === wanted.id)) {
      throw invalid(
        `Cannot add multiple subscription items with the same plan: ${wanted.id}`,
        undefined,
        `items[${index}][price]`,
      );
    }
    const item = newItem(context, {
      ...(before ? { id: before.id } : {}),
      subscription: subscription.id,
      price: wanted,
      quantity: quantity ?? before?.quantity ?? 1,
      period,
      created: before?.created ?? context.now,
    });
    items.set(item.id, item);
  }
  const [first, ...more] = items.values();
  if (!first) throw invalid('A subscription must have at least one item.', undefined, 'items');
  const same = more.every(
    ({ price }) =>
      price.currency === first.price.currency &&
      JSON.stringify(rhythmOf(price)) === JSON.stringify(rhythmOf(first.price)),
  );
  if (!same || first.price.currency !== subscription.currency)
    throw invalid('Currency and interval fields must match across all plans on this subscription.', undefined, 'items');
  return [first, ...more];
}

export type PlanChange = {
  readonly items: readonly Stripe.SubscriptionItem[];
  readonly anchor: number;
  readonly lines: readonly Line[];
  /** Another interval starts a new period, which is paid immediately. */
  readonly newPeriod: Period | null;
};

/** The amounts of a change at `at`; writes nothing. */
export function planChange(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  items: readonly Stripe.SubscriptionItem[],
  proration: Proration,
  at: number,
): PlanChange {
  const period = periodOf(subscription);
  const anchor = subscription.billing_cycle_anchor;
  const [before, next] = [subscription.items.data[0]?.price, items[0]?.price];
  if (subscription.status === 'trialing') return { items, anchor, lines: [], newPeriod: null };
  if (before && next && JSON.stringify(rhythmOf(before)) !== JSON.stringify(rhythmOf(next))) {
    const newPeriod = { start: context.now, end: endOfPeriod(context.now, context.now, next) };
    const back = proration === 'none' ? [] : prorationLines(context, subscription.items.data, [], period, at);
    const moved = withPeriod(items, newPeriod);
    return { items: moved, anchor: context.now, lines: [...back, ...cycleLines(context, moved, newPeriod)], newPeriod };
  }
  return {
    items,
    anchor,
    lines: proration === 'none' ? [] : prorationLines(context, subscription.items.data, items, period, at),
    newPeriod: null,
  };
}

export type RequestedChange = {
  readonly items: readonly RequestedItem[];
  readonly proration: Proration;
  readonly behavior: PaymentBehavior;
  readonly at: number;
  readonly offSession: boolean;
};

const UPDATED = 'customer.subscription.updated';

/** @throws ApiError when it is refused; with `error_if_incomplete` also when the card is declined */
export function changePlan(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  { items: requested, proration, behavior, at, offSession }: RequestedChange,
): Stripe.Subscription {
  const { items, anchor, lines, newPeriod } = planChange(
    context,
    subscription,
    requestedItems(context, subscription, requested),
    proration,
    at,
  );
  const apply = (): Stripe.Subscription =>
    change(
      context,
      'subscription',
      need(context, 'subscription', subscription.id),
      { items: itemList(subscription.id, items), billing_cycle_anchor: anchor },
      UPDATED,
    );
  if (lines.length === 0) return apply();
  if (proration === 'create_prorations' && newPeriod === null) {
    for (const line of lines)
      context.store.put('pending_line', {
        id: context.newId('pending'),
        subscription: subscription.id,
        line: lineObject(context, line, null, subscription.currency),
      });
    return apply();
  }
  const waits = behavior === 'pending_if_incomplete';
  const current = waits ? subscription : apply();
  const invoice = writeInvoice(context, {
    subscription: current,
    reason: 'subscription_update',
    lines,
    discounts: newPeriod ? subscription.discounts.map((each) => idOf(each) ?? '') : [],
  });
  const pending: Stripe.Subscription.PendingUpdate = {
    billing_cycle_anchor: newPeriod ? anchor : null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: context.now + PATIENCE_SECONDS,
    metadata: null,
    subscription_items: [...items],
    trial_end: null,
    trial_from_plan: null,
  };
  context.store.put('subscription', {
    ...current,
    latest_invoice: invoice.id,
    ...(waits ? { pending_update: pending } : {}),
  });
  if (invoice.status === 'paid') afterPaid(context, invoice);
  else pay(context, need(context, 'subscription', subscription.id), invoice, behavior, offSession);
  return need(context, 'subscription', subscription.id);
}

function pay(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  behavior: PaymentBehavior,
  offSession: boolean,
): void {
  if (behavior === 'default_incomplete') return;
  const method = methodFor(context, subscription, idOf(subscription.customer) ?? '');
  if (!method) {
    if (behavior === 'error_if_incomplete')
      throw invalid('This customer has no attached payment source or default payment method.', 'resource_missing');
    afterFailure(context, invoice);
    return;
  }
  const tried = chargeInvoice(context, invoice, method, { offSession });
  if (behavior === 'error_if_incomplete' && tried?.intent.status !== 'succeeded') {
    const { payment_intent: _, ...refused } = tried?.refused ?? {
      type: 'card_error' as const,
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
    };
    throw new ApiError(402, refused);
  }
}
