/** Billing emails: receipts, failed payments, ending plans. Based on the bill; amounts are those of its events. */
import { loadHistory, loadState } from '../../commands/handle.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream, type PaidInvoice } from '../../domain/billing/events.ts';
import { currentSubscription } from '../../domain/billing/subscription.ts';
import { type DataOf, eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import {
  paymentFailedMail,
  type Receipt,
  receiptMail,
  subscriptionEndedMail,
  subscriptionEndsMail,
} from './billingTexts.ts';
import { activeAccount, type ComposeDeps, type Draft, reachable } from './draft.ts';

/** Null: the event leads to no such email. */
export async function composeBillingMail(
  deps: ComposeDeps,
  store: EventStore,
  event: RecordedEvent,
): Promise<Draft | null> {
  if (isOf(event, 'FundsAdded')) return fundsReceipt(deps, store, event.data);
  if (isOf(event, 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed')) {
    const { userId, tier, periodEnd, paid } = event.data;
    return paid
      ? planReceipt(deps, store, { userId, tier, periodEnd, paid, paidAt: event.metadata.at })
      : { userId, drop: 'nothing_to_tell' };
  }
  if (isOf(event, 'SubscriptionPaymentFailed')) return paymentFailed(deps, store, event.data);
  if (isOf(event, 'SubscriptionCancelScheduled')) return subscriptionEnds(deps, store, event.id, event.data);
  if (isOf(event, 'SubscriptionEnded')) return subscriptionEnded(deps, store, event.data);
  return null;
}

function fundsReceipt(deps: ComposeDeps, store: EventStore, data: DataOf<'FundsAdded'>): Promise<Draft> {
  const { userId, paymentIntentId, quantity, amount, currency, funds, addedAt } = data;
  const bought = { kind: 'reports', quantity, funds } as const;
  return receipt(deps, store, {
    userId,
    paymentIntentId,
    read: async () => ({ amount, currency, paidAt: addedAt, number: null, bought }),
  });
}

type PaidPlan = Pick<DataOf<'SubscriptionRenewed'>, 'userId' | 'tier' | 'periodEnd'> & {
  readonly paid: PaidInvoice;
  readonly paidAt: string;
};

function planReceipt(
  deps: ComposeDeps,
  store: EventStore,
  { userId, tier, periodEnd, paid, paidAt }: PaidPlan,
): Promise<Draft> {
  const { amount, currency, paymentIntentId, invoiceId } = paid;
  const read = async (): Promise<Receipt> => {
    const number = paid.number ?? (await deps.payments?.invoice(invoiceId))?.invoice.number ?? null;
    return { amount, currency, paidAt, number, bought: { kind: 'plan', tier, periodEnd } };
  };
  return receipt(deps, store, { userId, paymentIntentId, read });
}

type ToReceipt = {
  readonly userId: string;
  readonly paymentIntentId: string | null;
  readonly read: () => Promise<Receipt>;
};

/**
 * Every payer gets a receipt, even if the account's address is unconfirmed: it then goes to the address in the payment.
 */
async function receipt(
  deps: ComposeDeps,
  store: EventStore,
  { userId, paymentIntentId, read }: ToReceipt,
): Promise<Draft> {
  const account = await activeAccount(store, userId);
  if (!account) return { userId, drop: 'gone' };
  const to = account.emailProof === 'confirmed' ? account.email : await billingEmail(deps, paymentIntentId);
  return to === null
    ? { userId, drop: 'not_confirmed' }
    : { userId, to, canTurnOff: false, write: async () => receiptMail(deps, await read()) };
}

/** @throws PaymentFault when the provider is unavailable */
async function billingEmail({ payments }: ComposeDeps, paymentIntentId: string | null): Promise<string | null> {
  return paymentIntentId === null ? null : ((await payments?.payment(paymentIntentId))?.billingEmail ?? null);
}

async function paymentFailed(
  deps: ComposeDeps,
  store: EventStore,
  data: DataOf<'SubscriptionPaymentFailed'>,
): Promise<Draft> {
  const { userId, subscriptionId, invoiceId, amount, currency, graceEndsAt } = data;
  const account = await reachable(store, userId);
  if ('drop' in account) return account;
  const { state } = await loadState(store, billingDecider, billingStream(userId));
  // Paid meanwhile, or ended.
  const known = state.subscriptions.find((each) => each.subscriptionId === subscriptionId);
  if (known?.failedInvoiceId !== invoiceId || known.status === 'canceled') return { userId, drop: 'nothing_to_tell' };
  return {
    userId,
    to: account.email,
    canTurnOff: false,
    write: () => paymentFailedMail(deps, { tier: known.tier, amount, currency, graceEndsAt }),
  };
}

/** Of several cancellations the last one counts, and only while it is in effect. */
async function subscriptionEnds(
  deps: ComposeDeps,
  store: EventStore,
  eventId: string,
  data: DataOf<'SubscriptionCancelScheduled'>,
): Promise<Draft> {
  const { userId, subscriptionId, cancelsAt } = data;
  const account = await reachable(store, userId);
  if ('drop' in account) return account;
  if (account.unwantedMails.includes('subscription_ends')) return { userId, drop: 'not_wanted' };
  const { state, events } = await loadHistory(store, billingDecider, billingStream(userId));
  const known = state.subscriptions.find((each) => each.subscriptionId === subscriptionId);
  const last = eventsOf(events, 'SubscriptionCancelScheduled').findLast(
    (event) => event.data.subscriptionId === subscriptionId,
  );
  if (known?.cancelsAt !== cancelsAt || known.status === 'canceled' || last?.id !== eventId)
    return { userId, drop: 'nothing_to_tell' };
  const { tier } = known;
  return {
    userId,
    to: account.email,
    canTurnOff: true,
    write: (unsubscribeUrl) => subscriptionEndsMail(deps, { tier, cancelsAt, unsubscribeUrl }),
  };
}

/** A user on another plan by now is not notified that one ended. */
async function subscriptionEnded(
  deps: ComposeDeps,
  store: EventStore,
  { userId, subscriptionId, tier, endedAt }: DataOf<'SubscriptionEnded'>,
): Promise<Draft> {
  const account = await reachable(store, userId);
  if ('drop' in account) return account;
  const { state } = await loadState(store, billingDecider, billingStream(userId));
  const current = currentSubscription(state.subscriptions, endedAt);
  if (current && current.subscriptionId !== subscriptionId && current.status !== 'canceled')
    return { userId, drop: 'nothing_to_tell' };
  return { userId, to: account.email, canTurnOff: false, write: () => subscriptionEndedMail(deps, { tier, endedAt }) };
}
