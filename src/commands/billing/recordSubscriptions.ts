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
import { PaymentFault, type Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { recordSubscription } from './recordSubscription.ts';

export type PayerInput = { readonly userId: string; readonly payments: Payments };

/** `current`: the one that has not ended; null if there is none. */
export type RecordedSubscriptions = { readonly current: Subscription | null; readonly position: Position };

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
  const { state, position } = await loadState(ctx.store, billingDecider, stream);
  const current = currentSubscription(state.subscriptions, ctx.now());
  return { current: current?.status === 'canceled' ? null : current, position };
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
  try {
    await recordSubscriptions(ctx, { userId, payments });
  } catch (error) {
    if (error instanceof PaymentFault)
      await handle(ctx, billingDecider, billingStream(userId), { ...sync, outcome: 'failed', asked: false });
    throw error;
  }
  const { position } = await handle(ctx, billingDecider, billingStream(userId), {
    ...sync,
    outcome: 'in_step',
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
