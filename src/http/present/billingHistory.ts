/**
 * Wording of bill changes in the history. A row of money always names its payment or purpose, or it would read as
 * credits.
 */
import type { BillingNotes } from '../../domain/billing/notes.ts';
import { moneyText, unitsOf } from '../../model/money.ts';
import { isUpgrade, nameOfTier } from '../../model/tiers.ts';
import type { BillingChangeDocument } from '../../projections/billing.ts';
import type { Transaction } from '../contract/billing.ts';

type Words = Pick<Transaction, 'type' | 'transaction_type' | 'status' | 'description'>;
type Rest = Partial<
  Pick<Transaction, 'amount' | 'reason' | 'currency' | 'balance_after' | 'stripe_payment_id' | 'metadata'>
>;

/** `notes`: the reasons of admins, which are gone with the account. */
export function presentTransaction(document: BillingChangeDocument, notes: BillingNotes = {}): Transaction {
  const nothing = {
    amount: 0,
    reason: null,
    currency: null,
    balance_after: null,
    stripe_payment_id: null,
    metadata: {},
  };
  return { id: document.eventId, created_at: document.at, ...nothing, ...rowOf(document, notes) };
}

function rowOf(document: BillingChangeDocument, notes: BillingNotes): Words & Rest {
  switch (document.type) {
    case 'FundsAdded': {
      const { quantity, discountCode } = document.data;
      return {
        type: 'purchase',
        transaction_type: 'funds',
        status: 'success',
        description: counted(quantity, 'report'),
        ...ofPayment(document.data, document.data.amount),
        reason: discountCode === undefined ? null : `Code ${discountCode}`,
      };
    }
    case 'CreditsGranted': {
      const { credits, balance } = document.data;
      const words = {
        type: 'credit',
        transaction_type: 'credits',
        status: 'success',
        description: counted(credits, 'credit'),
      };
      return { ...words, amount: credits, reason: reasonIn(document.data, notes), balance_after: balance };
    }
    case 'PaymentRefunded':
      return {
        ...words('payment', 'refund', 'refunded', 'Refund'),
        ...ofPayment(document.data, -document.data.amount),
      };
    case 'DisputeOpened':
      return {
        ...words('payment', 'dispute', 'disputed', 'Payment disputed'),
        ...ofPayment(document.data, -document.data.amount),
      };
    case 'DisputeWon':
      return {
        ...words('payment', 'dispute', 'success', 'Dispute decided in our favor'),
        ...ofPayment(document.data, document.data.amount),
      };
    case 'DisputeLost':
      return { ...words('payment', 'dispute', 'disputed', 'Dispute lost'), ...ofPayment(document.data, 0) };
    case 'AnalysisReserved':
      return used(document.data, -1, 'Audit');
    case 'UnlockPaid':
      return used(document.data, -1, 'Preview unlocked');
    case 'AnalysisReleased':
      return { ...used(document.data, 1, 'Audit returned'), ...whyGivenBack(document.data) };
    case 'UnlockReturned':
      return used(document.data, 1, 'Unlock returned');
    default:
      return ofSubscription(document, notes);
  }
}

type OfSubscription = Extract<BillingChangeDocument, { readonly type: `Subscription${string}` }>;

function ofSubscription(document: OfSubscription, notes: BillingNotes): Words & Rest {
  switch (document.type) {
    case 'SubscriptionStarted':
      return {
        ...words('subscription', 'start', 'active', `${nameOfTier(document.data.tier)} plan`),
        ...paid(document.data),
      };
    case 'SubscriptionRenewed':
      return {
        ...words('subscription', 'renewal', 'renewed', `${nameOfTier(document.data.tier)} plan renewed`),
        ...paid(document.data),
      };
    case 'SubscriptionChanged': {
      const { tier, formerTier } = document.data;
      const [change, verb] = isUpgrade(tier, formerTier) ? ['downgrade', 'Changed'] : ['upgrade', 'Upgraded'];
      return { ...words('subscription', change, 'paid', `${verb} to ${nameOfTier(tier)}`), ...paid(document.data) };
    }
    case 'SubscriptionChangeScheduled': {
      const { tier, effectiveAt } = document.data;
      return {
        ...words('subscription', 'downgrade', 'active', `Changes to ${nameOfTier(tier)} on ${dayOf(effectiveAt)}`),
        ...about(document.data, { tier }),
      };
    }
    case 'SubscriptionChangeUndone':
      return {
        ...words('subscription', 'downgrade', 'cancelled', 'Scheduled change withdrawn'),
        ...about(document.data),
      };
    case 'SubscriptionPaymentFailed': {
      const { amount, currency, graceEndsAt } = document.data;
      const overdue = `${moneyText({ amount, currency })} owed, everything stays as it is until ${dayOf(graceEndsAt)}`;
      return {
        ...words('payment', 'failed', 'failed', 'Payment failed'),
        ...about(document.data),
        currency,
        reason: overdue,
      };
    }
    case 'SubscriptionCancelScheduled':
      return {
        ...words('subscription', 'cancel', 'cancelled', `Ends on ${dayOf(document.data.cancelsAt)}`),
        ...about(document.data),
      };
    case 'SubscriptionReactivated':
      return { ...words('subscription', 'reactivate', 'active', 'Cancellation withdrawn'), ...about(document.data) };
    case 'SubscriptionSuspended': {
      const { reason } = document.data;
      const why = reason === 'disputed' ? 'its payment is disputed' : 'its payment was refunded';
      return {
        ...words('subscription', 'hold', 'unpaid', `Plan on hold: ${why}`),
        ...about(document.data),
      };
    }
    case 'SubscriptionResumed':
      return {
        ...words('subscription', 'hold', 'active', 'Plan no longer on hold'),
        ...about(document.data),
        reason: noteIn(document.data, notes),
      };
    case 'SubscriptionEnded': {
      const { tier } = document.data;
      return {
        ...words('subscription', 'cancel', 'cancelled', `${nameOfTier(tier)} plan canceled`),
        ...about(document.data, { tier }),
      };
    }
    default:
      document satisfies never;
      return words('subscription', 'other', 'active', '');
  }
}

type Noted = { readonly noteId?: string };

const noteIn = ({ noteId }: Noted, notes: BillingNotes): string | null =>
  noteId === undefined ? null : (notes[noteId] ?? null);

/** Grants of earlier versions carry their reason themselves. */
const reasonIn = (data: Noted & { readonly reason?: string }, notes: BillingNotes): string | null =>
  data.reason ?? noteIn(data, notes);

const words = (type: string, transaction_type: string, status: string, description: string): Words => ({
  type,
  transaction_type,
  status,
  description,
});

const counted = (count: number, word: string): string => `${count} ${count === 1 ? word : `${word}s`}`;

/** The UTC day, formatted. */
const dayOf = (at: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));

type OfPayment = Extract<
  BillingChangeDocument,
  { readonly type: 'FundsAdded' | 'PaymentRefunded' | 'DisputeOpened' | 'DisputeWon' | 'DisputeLost' }
>['data'];

function ofPayment({ paymentIntentId, currency, balance }: OfPayment, amount: number): Rest {
  const metadata = {
    payment_intent_id: paymentIntentId,
    payment_method: 'card',
    amount_dollars: unitsOf({ amount, currency }),
  };
  return { amount, currency, balance_after: balance, stripe_payment_id: paymentIntentId, metadata };
}

type Used = Extract<
  BillingChangeDocument,
  { readonly type: 'AnalysisReserved' | 'AnalysisReleased' | 'UnlockPaid' | 'UnlockReturned' }
>['data'];

/** `change`: -1 for a use, 1 for a return. */
function used({ from, amount = 0, currency, balance }: Used, change: 1 | -1, description: string): Words & Rest {
  const entry = words('usage', change === 1 ? 'release' : 'analysis', 'success', description);
  if (from !== 'funds') return { ...entry, amount: change, balance_after: balance ?? null };
  return {
    ...entry,
    amount: change * amount,
    currency: currency ?? null,
    balance_after: balance ?? null,
    metadata: {
      payment_method: 'funds',
      amount_dollars: unitsOf({ amount: change * amount, currency: currency ?? 'usd' }),
    },
  };
}

/** Of an audit that was completed; the others failed or were cancelled, as their row says. */
function whyGivenBack({ reason }: Extract<BillingChangeDocument, { readonly type: 'AnalysisReleased' }>['data']): Rest {
  if (reason === 'shut_site') return { reason: 'The site’s robots.txt blocks every crawler' };
  return reason === 'not_judged' ? { reason: 'The site could not be scored' } : {};
}

type Paid = Extract<
  OfSubscription,
  { readonly type: 'SubscriptionStarted' | 'SubscriptionRenewed' | 'SubscriptionChanged' }
>['data'];

function paid({ subscriptionId, tier, price, currency, paid: invoice }: Paid): Rest {
  const amount = invoice?.amount ?? 0;
  const payment = invoice?.paymentIntentId ?? null;
  const paidIn = invoice?.currency ?? currency;
  const number = invoice?.number;
  const codes = (invoice?.discounts ?? []).flatMap(({ code }) => (code === undefined ? [] : [`Code ${code}`]));
  const reasons = [...(number === undefined ? [] : [`Invoice ${number}`]), ...codes];
  const metadata = {
    tier,
    tier_price: price,
    monthly_price: price,
    amount_dollars: unitsOf({ amount, currency: paidIn }),
    subscription_id: subscriptionId,
  };
  return {
    amount,
    currency: paidIn,
    reason: reasons.length === 0 ? null : reasons.join(' · '),
    stripe_payment_id: payment,
    metadata: {
      ...metadata,
      ...(payment ? { payment_intent_id: payment, payment_method: 'card' } : {}),
      ...(number === undefined ? {} : { invoice_number: number }),
    },
  };
}

const about = ({ subscriptionId }: OfSubscription['data'], more: { readonly tier?: string } = {}): Rest => ({
  metadata: { subscription_id: subscriptionId, ...more },
});
