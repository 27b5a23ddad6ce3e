/**
 * Handles a payment provider event: the object it is about is fetched in its current state and recorded in the bill.
 * Events may come in any order and repeatedly.
 */

import { recordPayment } from '../commands/billing/recordPayment.ts';
import { recordInvoice, recordSubscription } from '../commands/billing/recordSubscription.ts';
import type { Cause, CommandContext, ContextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { accountStream } from '../domain/account/events.ts';
import { billingDecider } from '../domain/billing/decide.ts';
import { billingStream } from '../domain/billing/events.ts';
import { type BillingState, lookUp, markOf } from '../domain/billing/ledger.ts';
import { DomainError } from '../domain/decider.ts';
import { type IgnoreReason, type ProviderEventSubject, providerEventStream } from '../domain/providerEvent/events.ts';
import { type ProviderEventCommand, providerEventDecider } from '../domain/providerEvent/providerEvent.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { Payments, SubscriptionInvoice } from '../integrations/payments/payments.ts';

type Provider = Pick<Payments, 'payment' | 'subscription' | 'invoice'>;

export type ProviderEventDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  readonly payments: Provider;
};

/** The object of an event, in the provider's current state. */
type Fetched = {
  /** Null: not created by us. */
  readonly userId: string | null;
  /** Whether the bill already knows it: for a deleted account, only known objects are still recorded. */
  readonly isKnown: (bill: BillingState) => boolean;
  /** Returns how many new events it recorded. */
  readonly record: (ctx: CommandContext, userId: string) => Promise<number>;
};

/**
 * Returns the end of the event's stream.
 * @throws PaymentFault when the provider is unavailable; what the bill refuses, which needs manual attention
 */
export async function applyProviderEvent(
  { context, now, payments }: ProviderEventDeps,
  { eventId, cause }: { readonly eventId: string; readonly cause: Cause },
  held: () => boolean,
): Promise<Position> {
  const ctx = context(cause);
  const stream = providerEventStream(eventId);
  const { state, position } = await loadState(ctx.store, providerEventDecider, stream);
  if (state.status !== 'received') return position;
  const settle = async (command: ProviderEventCommand): Promise<Position> =>
    (await handle(ctx, providerEventDecider, stream, command)).position;
  const ignore = (reason: IgnoreReason, userId: string | null) =>
    settle({ type: 'IgnoreProviderEvent', userId, reason, at: now() });

  const { subject, source } = state.received;
  const fetched = await fetchSubject(payments, subject, now());
  if (!fetched) return ignore('gone', null);
  const { userId } = fetched;
  const reason = userId === null ? 'not_ours' : await whyIgnored(ctx, userId, fetched);
  if (userId === null || reason !== null) return ignore(reason ?? 'not_ours', userId);
  if (!held()) throw new Error('Another worker may have the event by now.');
  const outcome = (await fetched.record(ctx, userId)) > 0 ? 'recorded' : 'nothing_new';
  if (subject.kind !== 'payment') await recordSync(ctx, userId, { source, outcome });
  return settle({ type: 'MarkProviderEventApplied', userId, outcome, at: now() });
}

/**
 * A bill outlives its account, and objects it knows are still recorded: refunds, the end of a plan. New objects have no
 * owner.
 */
async function whyIgnored(ctx: CommandContext, userId: string, { isKnown }: Fetched): Promise<IgnoreReason | null> {
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status === 'active') return null;
  if (account.status === 'none') return 'not_ours';
  const { state: bill } = await loadState(ctx.store, billingDecider, billingStream(userId));
  return isKnown(bill) ? null : 'account_deleted';
}

/**
 * News that no webhook delivered means that the plan was out of date for a while. The next webhook that arrives records
 * that it no longer is.
 */
async function recordSync(
  ctx: CommandContext,
  userId: string,
  of: { readonly source: 'webhook' | 'sweep'; readonly outcome: 'recorded' | 'nothing_new' },
) {
  if (of.source === 'sweep' && of.outcome === 'nothing_new') return;
  const outcome = of.source === 'sweep' ? 'late' : 'in_step';
  await handle(ctx, billingDecider, billingStream(userId), {
    type: 'RecordSync',
    userId,
    outcome,
    asked: false,
    at: ctx.now(),
  });
}

async function fetchSubject(payments: Provider, subject: ProviderEventSubject, asOf: string): Promise<Fetched | null> {
  switch (subject.kind) {
    case 'payment':
      return fetchPayment(payments, subject.paymentIntentId);
    case 'subscription':
      return fetchSubscription(payments, subject.subscriptionId);
    case 'invoice': {
      const invoice = await payments.invoice(subject.invoiceId);
      return invoice && fetchInvoice(payments, invoice, asOf);
    }
    default:
      subject satisfies never;
      return null;
  }
}

async function fetchPayment(payments: Provider, paymentIntentId: string): Promise<Fetched | null> {
  const payment = await payments.payment(paymentIntentId);
  return (
    payment && {
      userId: payment.userId,
      isKnown: (bill) => payment.purpose === 'subscription' || lookUp(bill, 'payments', paymentIntentId) !== null,
      record: async (ctx) => (await recordPayment(ctx, payment)).events.length,
    }
  );
}

async function fetchSubscription(payments: Provider, subscriptionId: string): Promise<Fetched | null> {
  const found = await payments.subscription(subscriptionId);
  return (
    found && {
      userId: found.userId,
      isKnown: knowsSubscription(subscriptionId),
      record: async (ctx, userId) =>
        (await recordSubscription(ctx, { userId, subscription: found.subscription })).events.length,
    }
  );
}

const knowsSubscription = (subscriptionId: string) => (bill: BillingState) =>
  bill.subscriptions.some((each) => each.subscriptionId === subscriptionId) ||
  lookUp(bill, 'known', markOf('ended', subscriptionId)) !== null;

/**
 * With its current subscription, which holds the invoice's effects; a failed invoice is reported by the subscription
 * alone.
 */
async function fetchInvoice(payments: Provider, found: SubscriptionInvoice, requestedAt: string): Promise<Fetched> {
  const { subscriptionId, userId, tier, price, invoice } = found;
  const current = (await payments.subscription(subscriptionId))?.subscription ?? null;
  const record = async (ctx: CommandContext, owner: string): Promise<number> => {
    const recorded = current
      ? (await recordSubscription(ctx, { userId: owner, subscription: current })).events.length
      : 0;
    const paid = { userId: owner, subscriptionId, tier, price, invoice, asOf: current?.asOf ?? requestedAt };
    try {
      return recorded + (await recordInvoice(ctx, paid)).events.length;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'SUBSCRIPTION_UNKNOWN' && current)) throw error;
      // It has since ended unpaid, and its start was never recorded: this invoice records it.
      return (await recordSubscription(ctx, { userId: owner, subscription: { ...current, invoice } })).events.length;
    }
  };
  return { userId, isKnown: knowsSubscription(subscriptionId), record };
}
