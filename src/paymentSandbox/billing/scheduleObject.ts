/** Future phases of a subscription, in Stripe's format. */
import type Stripe from 'stripe';
import { change, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';

export type PhasePlan = {
  readonly items: readonly { readonly price: string; readonly quantity: number }[];
  readonly start: number;
  readonly end: number;
  readonly proration: Stripe.SubscriptionSchedule.Phase.ProrationBehavior;
  readonly metadata: Stripe.Metadata;
  readonly discounts: readonly string[];
};

export function phaseObject(
  { items, start, end, proration, metadata, discounts }: PhasePlan,
  currency: string,
): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: end,
    invoice_settings: null,
    items: items.map(({ price, quantity }) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: price,
      price,
      quantity,
      tax_rates: [],
    })),
    metadata,
    on_behalf_of: null,
    proration_behavior: proration,
    start_date: start,
    transfer_data: null,
    trial_end: null,
  };
}

const itemsOf = ({ items }: Stripe.Subscription): PhasePlan['items'] =>
  items.data.map(({ price, quantity }) => ({ price: price.id, quantity: quantity ?? 1 }));

const discountsOf = ({ discounts }: Stripe.Subscription): string[] => discounts.flatMap((each) => idOf(each) ?? []);

/** The subscription's discounts in a phase; null: unchanged. */
export function phaseDiscounts(
  subscription: Stripe.Subscription,
  { discounts }: Stripe.SubscriptionSchedule.Phase,
): string[] | null {
  const become = discounts.flatMap(({ discount }) => idOf(discount) ?? []);
  return become.join() === discountsOf(subscription).join() ? null : become;
}

/** The current subscription, as a phase until the end of its period. */
export function currentPhase(subscription: Stripe.Subscription): Stripe.SubscriptionSchedule.Phase {
  const [first] = subscription.items.data;
  return phaseObject(
    {
      items: itemsOf(subscription),
      start: first?.current_period_start ?? 0,
      end: first?.current_period_end ?? 0,
      proration: 'create_prorations',
      metadata: {},
      discounts: discountsOf(subscription),
    },
    subscription.currency,
  );
}

/** Updates the current phase of a subscription that was changed manually. */
export function amendSchedule(context: SandboxContext, subscription: Stripe.Subscription): void {
  const schedule = context.store.get('subscription_schedule', idOf(subscription.schedule) ?? '');
  if (!schedule?.current_phase) return;
  const now = schedule.current_phase.start_date;
  const phases = schedule.phases.map((phase) =>
    phase.start_date === now
      ? {
          ...currentPhase(subscription),
          start_date: phase.start_date,
          end_date: phase.end_date,
          proration_behavior: phase.proration_behavior,
        }
      : phase,
  );
  change(context, 'subscription_schedule', schedule, { phases }, 'subscription_schedule.updated');
}
