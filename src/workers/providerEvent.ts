/**
 * Handles a payment provider event: the object it is about is fetched in its current state and recorded in the bill.
 * Events may come in any order and repeatedly.
 */

import { recordPayment } from '../commands/billing/recordPayment.ts';
import { recordInvoice, recordSubscription } from '../commands/billing/recordSubscription.ts';
import { endLostSubscription } from '../commands/billing/recordSubscriptions.ts';
import type { Cause, CommandContext, ContextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { accountStream } from '../domain/account/events.ts';
import { billingDecider } from '../domain/billing/decide.ts';
import { billingStream } from '../domain/billing/events.ts';
import { type BillingState, lookUp } from '../domain/billing/ledger.ts';
import { DomainError } from '../domain/decider.ts';
import { type IgnoreReason, type ProviderEventSubject, providerEventStream } from '../domain/providerEvent/events.ts';
import { type ProviderEventCommand, providerEventDecider } from '../domain/providerEvent/providerEvent.ts';
import { type Position, START } from '../eventStore/eventStore.ts';
import type { Payments, SubscriptionInvoice } from '../integrations/payments/payments.ts';

type Provider = Pick<Payments, 'mode' | 'payment' | 'subscription' | 'invoice'>;

export type ProviderEventDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  readonly payments: Provider;
  /**
   * The user whose bill has one of these ids of the provider, as of that position of the log; null if there is none.
   * @throws when the bills are not shown up to that position yet
   */
  readonly ownerOf: (ids: readonly string[], asOf: Position) => Promise<string | null>;
};

/** The object of an event, in the provider's current state. */
type Fetched = {
  /** The user named by the object itself; null: it names none. */
  readonly userId: string | null;
  /** By which a bill may know it: what the bill knows is ours, whatever the object says. */
  readonly ids: readonly string[];
  /** Whether a bill may get to know it: not if it is of a product that is not sold here. */
  readonly isSoldHere: boolean;
  readonly isKnown: (bill: BillingState) => boolean;
  /** Returns how many new events it recorded. */
  readonly record: (ctx: CommandContext, userId: string) => Promise<number>;
};

/**
 * Returns the end of the event's stream.
 * @throws PaymentFault when the provider is unavailable; what the bill refuses, which needs manual attention
 */
export async function applyProviderEvent(
  deps: ProviderEventDeps,
  { eventId, cause }: { readonly eventId: string; readonly cause: Cause },
  held: () => boolean,
): Promise<Position> {
  const { context, now, payments } = deps;
  const ctx = context(cause);
  const stream = providerEventStream(eventId);
  const { state, position } = await loadState(ctx.store, providerEventDecider, stream);
  if (state.status !== 'received') return position;
  const settle = async (command: ProviderEventCommand): Promise<Position> =>
    (await handle(ctx, providerEventDecider, stream, command)).position;
  const ignore = (reason: IgnoreReason, userId: string | null) =>
    settle({ type: 'IgnoreProviderEvent', userId, reason, at: now() });
  const checkHeld = (): void => {
    if (!held()) throw new Error('Another worker may have the event by now.');
  };

  const { subject, source } = state.received;
  const fetched = await fetchSubject(payments, subject, now());
  if (!fetched) {
    checkHeld();
    return ignore('gone', await recordGone(deps, ctx, subject, position));
  }
  const payer = await payerOf(deps, ctx, fetched, position);
  if (payer.ignored !== null) return ignore(payer.ignored, payer.userId);
  checkHeld();
  const { userId } = payer;
  const outcome = (await fetched.record(ctx, userId)) > 0 ? 'recorded' : 'nothing_new';
  if (subject.kind !== 'payment') await recordSync(ctx, userId, { source, outcome });
  return settle({ type: 'MarkProviderEventApplied', userId, outcome, at: now() });
}

type Payer =
  | { readonly ignored: null; readonly userId: string }
  | { readonly ignored: IgnoreReason; readonly userId: string | null };

/**
 * Whose bill it belongs to: the bill that knows it, else that of the account it names. A bill outlives its account, and
 * what it knows is still recorded: refunds, the end of a plan. New objects need an account.
 */
async function payerOf(
  { ownerOf }: ProviderEventDeps,
  ctx: CommandContext,
  { userId: named, ids, isSoldHere, isKnown }: Fetched,
  asOf: Position,
): Promise<Payer> {
  const knows = async (userId: string): Promise<boolean> =>
    isKnown((await loadState(ctx.store, billingDecider, billingStream(userId))).state);
  if (named !== null && (await knows(named))) return { ignored: null, userId: named };
  // For what names an account, the bills may lag: money that was just paid does not wait for them.
  const owner = await ownerOf(ids, named === null ? asOf : START);
  if (owner !== null && owner !== named && (isSoldHere || (await knows(owner))))
    return { ignored: null, userId: owner };
  if (named === null || !isSoldHere) return { ignored: 'not_ours', userId: named };
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(named));
  if (account.status === 'active') return { ignored: null, userId: named };
  return { ignored: account.status === 'none' ? 'not_ours' : 'account_deleted', userId: named };
}

/**
 * The provider has no such object (anymore). If a bill has the plan, test data were wiped, and the plan has ended with
 * them. Returns the user of that bill.
 */
async function recordGone(
  { payments, ownerOf }: ProviderEventDeps,
  ctx: CommandContext,
  subject: ProviderEventSubject,
  asOf: Position,
): Promise<string | null> {
  if (subject.kind !== 'subscription') return null;
  const { subscriptionId } = subject;
  const userId = await ownerOf([subscriptionId], asOf);
  if (userId === null) return null;
  const isEnded = await endLostSubscription(ctx, { userId, payments, subscriptionId });
  if (!isEnded)
    await handle(ctx, billingDecider, billingStream(userId), {
      type: 'RecordSync',
      userId,
      outcome: 'failed',
      asked: false,
      at: ctx.now(),
    });
  return userId;
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
      ids: [paymentIntentId],
      isSoldHere: payment.userId !== null,
      isKnown: (bill) =>
        lookUp(bill, 'payments', paymentIntentId) !== null || lookUp(bill, 'planPayments', paymentIntentId) !== null,
      record: async (ctx, userId) => (await recordPayment(ctx, { ...payment, userId })).events.length,
    }
  );
}

async function fetchSubscription(payments: Provider, subscriptionId: string): Promise<Fetched | null> {
  const found = await payments.subscription(subscriptionId);
  return (
    found && {
      userId: found.userId,
      ids: [subscriptionId, found.customerId],
      isSoldHere: found.subscription.tier !== null,
      isKnown: knowsSubscription(subscriptionId),
      record: async (ctx, userId) =>
        (await recordSubscription(ctx, { userId, subscription: found.subscription })).events.length,
    }
  );
}

const knowsSubscription = (subscriptionId: string) => (bill: BillingState) =>
  bill.subscriptions.some((each) => each.subscriptionId === subscriptionId) ||
  lookUp(bill, 'ended', subscriptionId) !== null;

/**
 * With its current subscription, which holds the invoice's effects; a failed invoice is reported by the subscription
 * alone.
 */
async function fetchInvoice(payments: Provider, found: SubscriptionInvoice, requestedAt: string): Promise<Fetched> {
  const { subscriptionId, customerId, userId, tier, productId, price, invoice } = found;
  const current = (await payments.subscription(subscriptionId))?.subscription ?? null;
  const record = async (ctx: CommandContext, owner: string): Promise<number> => {
    const recorded = current
      ? (await recordSubscription(ctx, { userId: owner, subscription: current })).events.length
      : 0;
    const asOf = current?.asOf ?? requestedAt;
    const paid = { userId: owner, subscriptionId, tier, productId, price, invoice, asOf };
    try {
      return recorded + (await recordInvoice(ctx, paid)).events.length;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'SUBSCRIPTION_UNKNOWN' && current)) throw error;
      // It has since ended unpaid, and its start was never recorded: this invoice records it.
      return (await recordSubscription(ctx, { userId: owner, subscription: { ...current, invoice } })).events.length;
    }
  };
  return {
    userId,
    ids: [subscriptionId, customerId],
    isSoldHere: tier !== null || (current !== null && current.tier !== null),
    isKnown: knowsSubscription(subscriptionId),
    record,
  };
}
