/**
 * Fetches a user's subscriptions from the provider before any decision about them, so that nothing is based on stale
 * data.
 */

import { customerIn } from '../../domain/billing/customer.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { currentSubscription, type Subscription } from '../../domain/billing/subscription.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { type CustomerSubscription, PaymentFault, type Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { recordSubscription } from './recordSubscription.ts';

export type PayerInput = { readonly userId: string; readonly payments: Payments };

export type RecordedSubscriptions = {
  /** The one that has not ended; null if there is none. */
  readonly current: Subscription | null;
  /** The bill has one that the provider does not know, although it never forgets any. */
  readonly isOneLost: boolean;
  readonly position: Position;
};

/** Records what is new about them. A user without a customer has none. @throws PaymentFault */
export async function recordSubscriptions(
  ctx: CommandContext,
  { userId, payments }: PayerInput,
): Promise<RecordedSubscriptions> {
  const stream = billingStream(userId);
  const { customers } = (await loadState(ctx.store, billingDecider, stream)).state;
  const customerId = customerIn(customers, payments.mode);
  const found = customerId === null ? [] : await payments.subscriptionsOf(customerId);
  // Oldest first: of several ended ones, the last one counts.
  for (const { subscription } of found.toReversed()) await recordSubscription(ctx, { userId, subscription });
  const isOneLost = await recordUnlisted(ctx, { userId, payments }, found);
  const { state, position } = await loadState(ctx.store, billingDecider, stream);
  const current = currentSubscription(state.subscriptions, ctx.now());
  return { current: current?.status === 'canceled' ? null : current, isOneLost, position };
}

/**
 * The live subscriptions of the bill that the customer does not have: of a former customer, or wiped with the
 * provider's test data, which ends them. Live ones are never wiped: if one is not found, the key is probably that of
 * another provider account, and nothing ends. Returns whether there is such a one.
 */
async function recordUnlisted(
  ctx: CommandContext,
  { userId, payments }: PayerInput,
  listed: readonly CustomerSubscription[],
): Promise<boolean> {
  const { state } = await loadState(ctx.store, billingDecider, billingStream(userId));
  const known = new Set(listed.map(({ subscription }) => subscription.subscriptionId));
  let isOneLost = false;
  for (const { subscriptionId, status } of state.subscriptions) {
    if (status === 'canceled' || known.has(subscriptionId)) continue;
    const found = await payments.subscription(subscriptionId);
    if (found) await recordSubscription(ctx, { userId, subscription: found.subscription });
    else if (!(await endLostSubscription(ctx, { userId, payments, subscriptionId }))) isOneLost = true;
  }
  return isOneLost;
}

/**
 * For a subscription that the provider does not have. Returns false, and ends nothing, if it may have been sold for
 * real money.
 */
export async function endLostSubscription(
  ctx: CommandContext,
  {
    userId,
    payments,
    subscriptionId,
  }: { readonly userId: string; readonly payments: Pick<Payments, 'mode'>; readonly subscriptionId: string },
): Promise<boolean> {
  const stream = billingStream(userId);
  const { customers } = (await loadState(ctx.store, billingDecider, stream)).state;
  // Without a customer in live mode, it was sold in a test.
  if (payments.mode === 'live' && customerIn(customers, 'live') !== null) return false;
  await handle(ctx, billingDecider, stream, { type: 'RecordLostSubscription', userId, subscriptionId, at: ctx.now() });
  return true;
}

/**
 * Requested by the user, who sees the time of the last sync. A failed request is recorded, once.
 * @throws PaymentFault
 */
export async function syncSubscriptions(
  ctx: CommandContext,
  { userId, payments }: PayerInput,
): Promise<{ readonly syncedAt: string; readonly position: Position }> {
  const at = ctx.now();
  const sync = { type: 'RecordSync', userId, at } as const;
  let isOneLost = false;
  try {
    isOneLost = (await recordSubscriptions(ctx, { userId, payments })).isOneLost;
  } catch (error) {
    if (error instanceof PaymentFault)
      await handle(ctx, billingDecider, billingStream(userId), { ...sync, outcome: 'failed', asked: false });
    throw error;
  }
  const { position } = await handle(ctx, billingDecider, billingStream(userId), {
    ...sync,
    outcome: isOneLost ? 'failed' : 'in_step',
    asked: true,
  });
  return { syncedAt: at, position };
}

/**
 * The subscription to change, in its current state at the provider.
 * @throws DomainError NO_SUBSCRIPTION; PaymentFault
 */
export async function ownSubscription(ctx: CommandContext, of: PayerInput): Promise<Subscription> {
  const { current } = await recordSubscriptions(ctx, of);
  if (!current) throw noSubscription();
  return current;
}

export const noSubscription = (): DomainError => new DomainError('NO_SUBSCRIPTION', 'There is no plan to change.');

export const planChanged = (): DomainError =>
  new DomainError('PLAN_CHANGED', 'Your plan has changed in the meantime. Please reload the page.');

/**
 * A rejection unrelated to the card means that the subscription has just changed.
 * @throws DomainError PLAN_CHANGED; PaymentFault
 */
export async function orPlanChanged(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof PaymentFault && (error.fault === 'REFUSED' || error.fault === 'NOT_FOUND'))
      throw planChanged();
    throw error;
  }
}
