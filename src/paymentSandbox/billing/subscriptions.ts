/** Subscriptions: created, changed, canceled immediately or at the end of the period, reactivated. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { redeemable } from '../payments/coupons.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { clearable, ignored, LIST, listOf, metadata, text, time, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { changePlan } from './changePlan.ts';
import { giveDiscount } from './discounts.ts';
import { periodOf } from './items.ts';
import { beginPeriod, endSubscription, isOver } from './lifecycle.ts';
import { endOfPeriod } from './periods.ts';
import { amendSchedule } from './scheduleObject.ts';
import { ownMethod, resume, startSubscription } from './startSubscription.ts';

const DAY = 86_400;

const BEHAVIOR = z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete']);
export const PRORATION = z.enum(['always_invoice', 'create_prorations', 'none']);
const DISCOUNTS = listOf(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }));
const DETAILS = z.strictObject({ comment: clearable.optional(), feedback: clearable.optional() });
const TRIAL_SETTINGS = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
});

export const ITEM = z.strictObject({
  id: text.optional(),
  price: text.optional(),
  quantity: whole.pipe(z.number().min(0)).optional(),
  deleted: yesNo.optional(),
  metadata: ignored,
});

const FIELDS = {
  cancel_at_period_end: yesNo.optional(),
  default_payment_method: text.optional(),
  description: clearable.optional(),
  discounts: DISCOUNTS.optional(),
  metadata: metadata.optional(),
  off_session: yesNo.optional(),
  payment_behavior: BEHAVIOR.optional(),
  payment_settings: z
    .looseObject({ save_default_payment_method: z.enum(['off', 'on_subscription']).optional() })
    .optional(),
  proration_behavior: PRORATION.optional(),
  trial_settings: TRIAL_SETTINGS.optional(),
  automatic_tax: ignored,
  collection_method: z.literal('charge_automatically').optional(),
};

const CREATE = z.strictObject({
  ...FIELDS,
  customer: text,
  items: z
    .array(z.strictObject({ price: text, quantity: whole.pipe(z.number().min(1)).optional(), metadata: ignored }))
    .min(1),
  trial_end: whole.optional(),
  trial_period_days: whole.optional(),
  currency: ignored,
  billing_mode: ignored,
});

function create(context: SandboxContext, given: z.infer<typeof CREATE>): Stripe.Subscription {
  const days = given.trial_period_days ?? 0;
  const trialEnd = given.trial_end ?? (days > 0 ? context.now + days * DAY : null);
  return startSubscription(context, {
    customer: given.customer,
    items: given.items.map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 })),
    trialEnd: trialEnd !== null && trialEnd > context.now ? trialEnd : null,
    missingMethod: given.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    discounts: (given.discounts ?? []).map((each) => redeemable(context, each, given.customer)),
    metadata: mergedMetadata(null, given.metadata),
    description: given.description ?? null,
    method:
      given.default_payment_method === undefined
        ? null
        : ownMethod(context, given.customer, given.default_payment_method),
    keepMethod: given.payment_settings?.save_default_payment_method ?? 'off',
    behavior: given.payment_behavior ?? 'allow_incomplete',
    offSession: given.off_session ?? false,
    cancelAtPeriodEnd: given.cancel_at_period_end ?? false,
  });
}

const UPDATE = z.strictObject({
  ...FIELDS,
  items: z.array(ITEM).optional(),
  proration_date: whole.optional(),
  trial_end: z.union([z.literal('now'), whole]).optional(),
  cancellation_details: DETAILS.optional(),
});
type Update = z.infer<typeof UPDATE>;

/** The parameters allowed along with a change that is pending payment. */
const WITH_PENDING: readonly string[] = [
  'items',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
  'off_session',
  'trial_end',
];

/** @throws ApiError when this cannot be changed, or not in combination */
function checkUpdate(subscription: Stripe.Subscription, given: Update): void {
  const names = Object.keys(given);
  if (isOver(subscription) && names.some((name) => name !== 'metadata' && name !== 'cancellation_details')) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  }
  if (given.cancel_at_period_end !== undefined && subscription.schedule !== null) {
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule) ?? ''}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  }
  const unfit =
    given.payment_behavior === 'pending_if_incomplete' ? names.find((name) => !WITH_PENDING.includes(name)) : undefined;
  if (unfit !== undefined)
    throw invalid(
      `When payment_behavior is set to pending_if_incomplete, you cannot pass: ${unfit}.`,
      undefined,
      unfit,
    );
  if (given.items && subscription.pending_update)
    throw invalid('This subscription has a pending update; it must be paid, or expire, first.');
}

function plainChanges(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  given: Update,
): Partial<Stripe.Subscription> {
  const { cancel_at_period_end: ends, cancellation_details: requested } = given;
  const end = periodOf(subscription).end;
  const ending = ends
    ? { cancel_at_period_end: true, cancel_at: end, canceled_at: context.now }
    : { cancel_at_period_end: false, cancel_at: null, canceled_at: null };
  const details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: null,
    ...subscription.cancellation_details,
  };
  return {
    ...(ends === undefined ? {} : ending),
    ...(ends === undefined && requested === undefined
      ? {}
      : {
          cancellation_details: {
            ...details,
            ...(ends === undefined ? {} : { reason: ends ? ('cancellation_requested' as const) : null }),
            ...(requested as Partial<Stripe.Subscription.CancellationDetails>),
          },
        }),
    ...(given.default_payment_method === undefined
      ? {}
      : {
          default_payment_method: ownMethod(context, idOf(subscription.customer) ?? '', given.default_payment_method),
        }),
    ...(given.description === undefined ? {} : { description: given.description }),
    ...(given.metadata === undefined ? {} : { metadata: mergedMetadata(subscription.metadata, given.metadata) }),
    ...(given.trial_settings === undefined
      ? {}
      : { trial_settings: { end_behavior: { billing_cycle_anchor: null, ...given.trial_settings.end_behavior } } }),
    ...(given.discounts === undefined
      ? {}
      : {
          discounts: given.discounts.map(
            (each) =>
              giveDiscount(context, redeemable(context, each, idOf(subscription.customer)), {
                subscription: subscription.id,
                customer: idOf(subscription.customer) ?? '',
              }).id,
          ),
        }),
  };
}

function update(context: SandboxContext, given: Update, id: string): Stripe.Subscription {
  const before = need(context, 'subscription', id);
  checkUpdate(before, given);
  const plain = plainChanges(context, before, given);
  let subscription: Stripe.Subscription =
    Object.keys(plain).length === 0
      ? before
      : change(context, 'subscription', before, plain, 'customer.subscription.updated');
  if (given.trial_end !== undefined && subscription.status === 'trialing') {
    const price = subscription.items.data[0]?.price;
    if (given.trial_end === 'now' && price) {
      const ended = { ...subscription, trial_end: context.now, billing_cycle_anchor: context.now };
      subscription = beginPeriod(context, ended, {
        start: context.now,
        end: endOfPeriod(context.now, context.now, price),
      });
    } else throw invalid('A trial can only be ended now.', undefined, 'trial_end');
  }
  if (!given.items) return subscription;
  const changed = changePlan(context, subscription, {
    items: given.items,
    proration: given.proration_behavior ?? 'create_prorations',
    behavior: given.payment_behavior ?? 'allow_incomplete',
    at: given.proration_date ?? context.now,
    offSession: given.off_session ?? false,
  });
  amendSchedule(context, changed);
  return changed;
}

export const SUBSCRIPTIONS: readonly Route[] = [
  route({ method: 'POST', path: '/v1/subscriptions', params: CREATE, run: create }),
  route({
    method: 'GET',
    path: '/v1/subscriptions/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'subscription', id),
  }),
  route({
    method: 'GET',
    path: '/v1/subscriptions',
    params: z.strictObject({
      ...LIST,
      customer: text.optional(),
      price: text.optional(),
      status: text.optional(),
      created: time.optional(),
    }),
    run: (context, { customer, price, status, created, ...paging }) =>
      pageOf(context, 'subscription', '/v1/subscriptions', paging, {
        found: { customer },
        fits: (each) =>
          isAt(each.created, created) &&
          (price === undefined || each.items.data.some((item) => item.price.id === price)) &&
          (status === 'all' ||
            (status === 'ended'
              ? isOver(each)
              : status === undefined
                ? each.status !== 'canceled'
                : each.status === status)),
      }),
  }),
  route({ method: 'POST', path: '/v1/subscriptions/:id', params: UPDATE, run: update }),
  route({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: z.strictObject({
      invoice_now: yesNo.optional(),
      prorate: yesNo.optional(),
      cancellation_details: DETAILS.optional(),
    }),
    run: (context, { cancellation_details }, id) => {
      const subscription = need(context, 'subscription', id);
      if (isOver(subscription)) throw invalid(`No such subscription: '${id}'`, 'resource_missing', 'id');
      return endSubscription(
        context,
        subscription,
        'cancellation_requested',
        cancellation_details as Partial<Stripe.Subscription.CancellationDetails> | undefined,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    params: z.strictObject({
      billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
      proration_behavior: PRORATION.optional(),
    }),
    run: (context, _, id) => resume(context, need(context, 'subscription', id)),
  }),
];
