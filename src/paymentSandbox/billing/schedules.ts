/** Schedules: later changes of a subscription, such as a downgrade at the period's end. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import type { Interval } from '../payments/prices.ts';
import { invalid } from '../server/apiError.ts';
import { pageOf } from '../server/lists.ts';
import { ignored, LIST, metadata, text, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { itemList, newItem, periodOf, recurringPrice } from './items.ts';
import { endSubscription, isOver } from './lifecycle.ts';
import { after } from './periods.ts';
import { currentPhase, phaseDiscounts, phaseObject } from './scheduleObject.ts';
import { PRORATION } from './subscriptions.ts';

function newSchedule(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  meta: Stripe.Metadata,
): Stripe.SubscriptionSchedule {
  const phase = currentPhase(subscription);
  return {
    id: context.newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    canceled_at: null,
    completed_at: null,
    created: context.now,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: meta,
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
}

function create(context: SandboxContext, id: string, meta: Stripe.Metadata): Stripe.SubscriptionSchedule {
  const subscription = need(context, 'subscription', id, 'from_subscription');
  if (subscription.schedule !== null)
    throw invalid(
      'You cannot migrate a subscription that is already attached to a schedule.',
      undefined,
      'from_subscription',
    );
  if (isOver(subscription) || subscription.status === 'incomplete')
    throw invalid(`You cannot migrate a subscription that is ${subscription.status}.`, undefined, 'from_subscription');
  const made = newSchedule(context, subscription, meta);
  // A subscription set to end at the period's end ends with its phase.
  const schedule: Stripe.SubscriptionSchedule = subscription.cancel_at_period_end
    ? { ...made, end_behavior: 'cancel' }
    : made;
  context.store.put('subscription_schedule', schedule);
  context.store.put('subscription', { ...subscription, schedule: schedule.id });
  context.emit('subscription_schedule.created', schedule);
  return schedule;
}

const PHASE = z.strictObject({
  items: z
    .array(
      z.strictObject({
        price: text,
        quantity: whole.pipe(z.number().min(1)).optional(),
        metadata: ignored,
        discounts: ignored,
      }),
    )
    .min(1),
  start_date: z.union([z.literal('now'), whole]).optional(),
  end_date: whole.optional(),
  duration: z
    .strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: whole.optional() })
    .optional(),
  proration_behavior: PRORATION.optional(),
  metadata: metadata.optional(),
  /** Those of the subscription: if omitted, the phase has none. */
  discounts: z.array(z.strictObject({ discount: text })).optional(),
});

const UPDATE = z.strictObject({
  phases: z.array(PHASE).min(1).optional(),
  end_behavior: z.enum(['cancel', 'release']).optional(),
  proration_behavior: PRORATION.optional(),
  metadata: metadata.optional(),
});

/** @throws ApiError when the phases are not consecutive from the current one on */
function phasesOf(
  context: SandboxContext,
  schedule: Stripe.SubscriptionSchedule,
  given: readonly z.infer<typeof PHASE>[],
): Stripe.SubscriptionSchedule.Phase[] {
  const started = schedule.current_phase?.start_date ?? context.now;
  let at = started;
  return given.map((phase, index) => {
    const param = `phases[${index}]`;
    const start = phase.start_date === 'now' ? context.now : (phase.start_date ?? at);
    if (index === 0 && start !== started)
      throw invalid('You can not modify the start date of the current phase.', undefined, `${param}[start_date]`);
    if (start !== at)
      throw invalid(
        'The start date of a phase must be the end date of the phase before it.',
        undefined,
        `${param}[start_date]`,
      );
    const prices = phase.items.map((item, number) =>
      recurringPrice(context, item.price, `${param}[items][${number}][price]`),
    );
    const currency = prices[0]?.currency ?? 'usd';
    const last = index === given.length - 1;
    const one = prices[0]?.recurring;
    const end =
      phase.end_date ??
      (phase.duration
        ? after(start, phase.duration.interval, phase.duration.interval_count ?? 1)
        : last
          ? after(start, (one?.interval ?? 'month') as Interval, one?.interval_count ?? 1)
          : undefined);
    if (end === undefined || end <= start)
      throw invalid(
        'A phase needs an end date after its start date, or a duration.',
        'parameter_missing',
        `${param}[end_date]`,
      );
    if (end <= context.now)
      throw invalid('The end date of a phase must be in the future.', undefined, `${param}[end_date]`);
    at = end;
    const items = phase.items.map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 }));
    return phaseObject(
      {
        items,
        start,
        end,
        proration: phase.proration_behavior ?? 'create_prorations',
        metadata: mergedMetadata(null, phase.metadata),
        discounts: (phase.discounts ?? []).map(
          ({ discount }) => need(context, 'discount', discount, `${param}[discounts]`).id,
        ),
      },
      currency,
    );
  });
}

/** @throws ApiError when it has ended */
function needActive(context: SandboxContext, id: string): Stripe.SubscriptionSchedule {
  const schedule = need(context, 'subscription_schedule', id);
  if (schedule.status !== 'active')
    throw invalid(`You cannot update a subscription schedule that is currently in the \`${schedule.status}\` status.`);
  return schedule;
}

/** Releases the schedule: the subscription continues as it is. */
function release(context: SandboxContext, schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule {
  const id = idOf(schedule.subscription) ?? '';
  const subscription = context.store.get('subscription', id);
  if (subscription) context.store.put('subscription', { ...subscription, schedule: null });
  return change(
    context,
    'subscription_schedule',
    schedule,
    {
      status: 'released',
      released_at: context.now,
      released_subscription: id,
      subscription: null,
      current_phase: null,
    },
    'subscription_schedule.released',
  );
}

/** The end of a phase: the next one begins, or the schedule ends. */
export function scheduleDue(context: SandboxContext, schedule: Stripe.SubscriptionSchedule): void {
  const subscription = context.store.get('subscription', idOf(schedule.subscription) ?? '');
  const next = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date);
  if (!subscription || isOver(subscription)) {
    change(
      context,
      'subscription_schedule',
      schedule,
      { status: 'canceled', canceled_at: context.now, current_phase: null },
      'subscription_schedule.canceled',
    );
    return;
  }
  if (!next) {
    if (schedule.end_behavior === 'cancel') {
      endSubscription(context, subscription, 'cancellation_requested');
      return;
    }
    release(context, schedule);
    return;
  }
  const period = periodOf(subscription);
  const items = next.items.map(({ price, quantity }, index) =>
    newItem(context, {
      ...(subscription.items.data[index] ? { id: subscription.items.data[index].id } : {}),
      subscription: subscription.id,
      price: recurringPrice(context, idOf(price) ?? ''),
      quantity: quantity ?? 1,
      period,
      created: context.now,
    }),
  );
  // The period ends at the same moment: the subscription is processed next and bills the new items.
  const discounts = phaseDiscounts(subscription, next);
  const become = { items: itemList(subscription.id, items), ...(discounts ? { discounts } : {}) };
  change(context, 'subscription', subscription, become, 'customer.subscription.updated');
  change(
    context,
    'subscription_schedule',
    schedule,
    { current_phase: { start_date: next.start_date, end_date: next.end_date } },
    'subscription_schedule.updated',
  );
}

export const SCHEDULES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/subscription_schedules',
    params: z.strictObject({ from_subscription: text, metadata: metadata.optional() }),
    run: (context, { from_subscription, metadata: meta }) =>
      create(context, from_subscription, mergedMetadata(null, meta)),
  }),
  route({
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'subscription_schedule', id),
  }),
  route({
    method: 'GET',
    path: '/v1/subscription_schedules',
    params: z.strictObject({ ...LIST, customer: text.optional(), released_at: ignored }),
    run: (context, { customer, limit, starting_after, ending_before }) =>
      pageOf(
        context,
        'subscription_schedule',
        '/v1/subscription_schedules',
        { limit, starting_after, ending_before },
        { found: { customer } },
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/subscription_schedules/:id',
    params: UPDATE,
    run: (context, { phases, end_behavior, metadata: meta }, id) => {
      const schedule = needActive(context, id);
      const planned = phases && phasesOf(context, schedule, phases);
      const [first] = planned ?? [];
      const subscription = need(context, 'subscription', idOf(schedule.subscription) ?? '');
      const discounts = first ? phaseDiscounts(subscription, first) : null;
      if (discounts) change(context, 'subscription', subscription, { discounts }, 'customer.subscription.updated');
      return change(
        context,
        'subscription_schedule',
        schedule,
        {
          metadata: mergedMetadata(schedule.metadata, meta),
          ...(end_behavior === undefined ? {} : { end_behavior }),
          ...(planned && first
            ? { phases: planned, current_phase: { start_date: first.start_date, end_date: first.end_date } }
            : {}),
        },
        'subscription_schedule.updated',
      );
    },
  }),
  route({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    params: z.strictObject({ preserve_cancel_date: yesNo.optional() }),
    run: (context, _, id) => release(context, needActive(context, id)),
  }),
  route({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/cancel',
    params: z.strictObject({ invoice_now: yesNo.optional(), prorate: yesNo.optional() }),
    run: (context, _, id) => {
      const schedule = needActive(context, id);
      const subscription = context.store.get('subscription', idOf(schedule.subscription) ?? '');
      if (subscription) endSubscription(context, subscription, 'cancellation_requested');
      return need(context, 'subscription_schedule', id);
    },
  }),
];
