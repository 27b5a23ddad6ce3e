import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { planOf } from '../../domain/billing/plans.ts';
import { planUsed } from '../../domain/billing/sources.ts';
import { currentSubscription, limitAfterChange } from '../../domain/billing/subscription.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { isUpgrade, type PaidTier, type Tier } from '../../model/tiers.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { loadState } from '../handle.ts';
import {
  noSubscription,
  orPlanChanged,
  ownSubscription,
  type PayerInput,
  planChanged,
  recordSubscriptions,
} from './recordSubscriptions.ts';

export type PlanChange = PayerInput & {
  readonly newTier: PaidTier;
  /** What the user was shown: verified, never trusted. */
  readonly shown: { readonly tier: Tier; readonly isUpgrade: boolean };
};

/** A change that was checked once: a repeat is not refused for what the first attempt has done. */
export type CheckedChange = {
  readonly subscriptionId: string;
  readonly newTier: PaidTier;
  readonly isUpgrade: boolean;
};

/**
 * Refused if the user was shown something else.
 * @throws DomainError NO_SUBSCRIPTION, PLAN_ON_HOLD, PLAN_CHANGED, SAME_PLAN; PaymentFault
 */
export async function checkChange(
  ctx: CommandContext,
  { userId, payments, newTier, shown }: PlanChange,
): Promise<CheckedChange> {
  const { subscriptionId, tier, suspendedFor } = await ownSubscription(ctx, { userId, payments });
  // What is paid for a change would be on hold as well.
  if (suspendedFor.length > 0)
    throw new DomainError(
      'PLAN_ON_HOLD',
      'Your plan is on hold because of a dispute or a refund. It can only be canceled.',
    );
  if (tier !== shown.tier) throw planChanged();
  if (tier === newTier) throw new DomainError('SAME_PLAN', 'This is your plan already.');
  const isBetter = isUpgrade(tier, newTier);
  if (isBetter !== shown.isUpgrade) throw planChanged();
  return { subscriptionId, newTier, isUpgrade: isBetter };
}

/**
 * Upgrades immediately, downgrades at the end of the period.
 * @throws DomainError PLAN_CHANGED; PaymentFault DECLINED: nothing has changed
 */
export async function changePlan(
  ctx: CommandContext,
  { userId, payments, subscriptionId, newTier, isUpgrade: isBetter }: PayerInput & CheckedChange,
): Promise<{ readonly position: Position }> {
  const change = { subscriptionId, tier: newTier, key: derivedId(ctx.commandId, 'plan') };
  await orPlanChanged(isBetter ? payments.upgrade(change) : payments.scheduleDowngrade(change));
  return recordSubscriptions(ctx, { userId, payments });
}

/**
 * What an upgrade would charge now, and the audits of the current period it would lead to; changes nothing.
 * @throws DomainError NO_SUBSCRIPTION; PaymentFault
 */
export async function upgradeCost(
  { store, now }: CommandContext,
  { userId, payments, newTier }: PayerInput & { readonly newTier: PaidTier },
) {
  const { state } = await loadState(store, billingDecider, billingStream(userId));
  const current = currentSubscription(state.subscriptions, now());
  if (current === null || current.status === 'canceled') throw noSubscription();
  const { subscriptionId, periodStart, periodEnd } = current;
  const cost = await payments.upgradeCost({ subscriptionId, tier: newTier });
  const limit = limitAfterChange(current, newTier, { from: now(), periodStart, periodEnd });
  return { ...cost, limit: limit ?? planOf(newTier).analysesPerMonth, used: planUsed(state, current) };
}

/**
 * At the end of the period, or immediately; nothing is refunded.
 * @throws DomainError NO_SUBSCRIPTION, PLAN_CHANGED; PaymentFault
 */
export async function cancelPlan(
  ctx: CommandContext,
  { userId, payments, immediately }: PayerInput & { readonly immediately: boolean },
): Promise<{ readonly endsAt: string; readonly position: Position }> {
  const { subscriptionId, periodEnd } = await ownSubscription(ctx, { userId, payments });
  await orPlanChanged(payments.cancel({ subscriptionId, immediately, key: derivedId(ctx.commandId, 'cancel') }));
  const { current, position } = await recordSubscriptions(ctx, { userId, payments });
  return { endsAt: immediately ? ctx.now() : (current?.cancelsAt ?? periodEnd), position };
}

type Reactivation = { readonly subscriptionId: string };

/** @throws DomainError NO_SUBSCRIPTION, NOTHING_TO_REACTIVATE; PaymentFault */
export async function checkReactivation(ctx: CommandContext, { userId, payments }: PayerInput): Promise<Reactivation> {
  const { subscriptionId, pending, cancelsAt } = await ownSubscription(ctx, { userId, payments });
  if (!pending && cancelsAt === null)
    throw new DomainError('NOTHING_TO_REACTIVATE', 'Your plan continues: there is nothing to undo.');
  return { subscriptionId };
}

/** Withdraws a scheduled cancellation or change. @throws DomainError PLAN_CHANGED; PaymentFault */
export async function reactivatePlan(
  ctx: CommandContext,
  { userId, payments, subscriptionId }: PayerInput & Reactivation,
): Promise<{ readonly position: Position }> {
  await orPlanChanged(payments.reactivate({ subscriptionId, key: derivedId(ctx.commandId, 'reactivate') }));
  return recordSubscriptions(ctx, { userId, payments });
}
