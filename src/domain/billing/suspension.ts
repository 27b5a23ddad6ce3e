/**
 * Rights follow money: a disputed payment of a plan, or the full refund of one for the current period, puts what it
 * bought on hold. A won dispute, a later paid period or an admin ends that. Only what is reported from now on counts:
 * earlier bills keep the rights they had.
 */
import type { PaidInvoice, SubscriptionEvent } from './events.ts';
import { type BillingState, lookUp } from './ledger.ts';
import { heldFor, type Subscription } from './subscription.ts';

type Of = { readonly userId: string; readonly at: string };

/** What holds a payment's plan back: an open or lost dispute, or a full refund. */
type Hold = { readonly reason: 'disputed' | 'refunded'; readonly paymentIntentId: string; readonly disputeId?: string };

/** Nothing if the plan has ended, or is on hold for it already. */
function suspended(known: Subscription | null, { userId, at }: Of, hold: Hold): readonly SubscriptionEvent[] {
  if (!known || known.status === 'canceled') return [];
  if (known.suspendedFor.includes(heldFor(hold.reason, hold.disputeId ?? hold.paymentIntentId))) return [];
  const { subscriptionId } = known;
  return [{ type: 'SubscriptionSuspended', data: { userId, subscriptionId, ...hold, suspendedAt: at } }];
}

type Resumption = Of & { readonly reason: 'dispute_won' | 'paid' | 'admin'; readonly noteId?: string };

/** Nothing if it is not on hold. */
export function resumed(known: Subscription, { at, ...of }: Resumption): readonly SubscriptionEvent[] {
  if (known.suspendedFor.length === 0) return [];
  return [{ type: 'SubscriptionResumed', data: { ...of, subscriptionId: known.subscriptionId, resumedAt: at } }];
}

/** Reversals of a payment that were reported before the payment itself. `known`: with the payment. */
export function heldForPayment(
  known: Subscription | null,
  { paid, ...of }: Of & { readonly paid: PaidInvoice },
  state: BillingState,
): readonly SubscriptionEvent[] {
  const { paymentIntentId, amount } = paid;
  if (paymentIntentId === null) return [];
  for (const disputeId of state.ledger.disputes.keys()) {
    const dispute = lookUp(state, 'disputes', disputeId);
    if (dispute?.paymentIntentId === paymentIntentId && dispute.status !== 'won')
      return suspended(known, of, { reason: 'disputed', paymentIntentId, disputeId });
  }
  const refunded = lookUp(state, 'planPayments', paymentIntentId)?.refunded ?? 0;
  return amount > 0 && refunded >= amount ? suspended(known, of, { reason: 'refunded', paymentIntentId }) : [];
}

/** The plan that a payment was for; null if it is unknown or of funds. */
function planPaidBy(state: BillingState, paymentIntentId: string): Subscription | null {
  const payment = lookUp(state, 'planPayments', paymentIntentId);
  return state.subscriptions.find(({ subscriptionId }) => subscriptionId === payment?.subscriptionId) ?? null;
}

type OfPayment = Of & { readonly paymentIntentId: string };

/** `amount`: of this refund. */
export function heldForRefund(
  { paymentIntentId, amount, ...of }: OfPayment & { readonly amount: number },
  state: BillingState,
): readonly SubscriptionEvent[] {
  const payment = lookUp(state, 'planPayments', paymentIntentId);
  const known = planPaidBy(state, paymentIntentId);
  if (!payment || !known || payment.periodStart < known.periodStart) return [];
  const isAll = payment.amount > 0 && payment.refunded + amount >= payment.amount;
  return isAll ? suspended(known, of, { reason: 'refunded', paymentIntentId }) : [];
}

export function heldForDispute(
  { paymentIntentId, disputeId, ...of }: OfPayment & { readonly disputeId: string },
  state: BillingState,
): readonly SubscriptionEvent[] {
  return suspended(planPaidBy(state, paymentIntentId), of, { reason: 'disputed', paymentIntentId, disputeId });
}

/** Resumes the plan unless something else still stands against it. */
export function freedByDispute(
  { paymentIntentId, disputeId, ...of }: OfPayment & { readonly disputeId: string },
  state: BillingState,
): readonly SubscriptionEvent[] {
  const known = planPaidBy(state, paymentIntentId);
  const won = heldFor('disputed', disputeId);
  if (!known?.suspendedFor.includes(won)) return [];
  const stands = known.suspendedFor.some((held) => held !== won && !isWon(state, held));
  return stands ? [] : resumed(known, { ...of, reason: 'dispute_won' });
}

const isWon = (state: BillingState, held: string): boolean => {
  const [reason, id = ''] = held.split(' ');
  return reason === 'disputed' && lookUp(state, 'disputes', id)?.status === 'won';
};
