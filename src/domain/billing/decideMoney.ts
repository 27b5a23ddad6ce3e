/** Funds and credits. Each fact from the provider counts once, keyed by the id of its subject. */
import { MOST_CREDITS } from '../../model/limits.ts';
import { DomainError, unreachable } from '../decider.ts';
import { fundsToTakeBack } from './balances.ts';
import type { BillingEvent } from './events.ts';
import { type BillingState, lookUp, markOf, type Payment } from './ledger.ts';
import { freedByDispute, heldForDispute, heldForRefund } from './suspension.ts';

type OfPayment = {
  readonly userId: string;
  readonly paymentIntentId: string;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
  readonly at: string;
};

/** What a payment was for: reversals reduce funds, but never a subscription's audits. */
type Purpose = { readonly purpose: 'funds' | 'subscription' };

export type MoneyCommand =
  /** A payment intent has succeeded. `funds`: the agreed amount to add. */
  | (OfPayment & {
      readonly type: 'AddFunds';
      readonly quantity: number;
      readonly funds: number;
      readonly discountCode?: string;
    })
  | {
      readonly type: 'GrantCredits';
      readonly userId: string;
      readonly grantId: string;
      readonly credits: number;
      /** The reason. */
      readonly noteId: string;
      readonly at: string;
    }
  | (OfPayment & Purpose & { readonly type: 'RecordRefund'; readonly refundId: string })
  /** As the provider currently reports it. Inquiries, which withhold no money yet, are not disputes. */
  | (OfPayment &
      Purpose & {
        readonly type: 'RecordDispute';
        readonly disputeId: string;
        readonly status: 'open' | 'won' | 'lost';
      });

type Command<Type extends MoneyCommand['type']> = Extract<MoneyCommand, { readonly type: Type }>;

/**
 * @throws DomainError PAYMENT_UNKNOWN for a reversal of a payment that is not recorded yet: record the payment first,
 *   then retry
 */
export function decideMoney(command: MoneyCommand, state: BillingState): readonly BillingEvent[] {
  switch (command.type) {
    case 'AddFunds':
      return addFunds(command, state);
    case 'GrantCredits':
      return grantCredits(command, state);
    case 'RecordRefund':
      return recordRefund(command, state);
    case 'RecordDispute':
      return recordDispute(command, state);
    default:
      return unreachable(command);
  }
}

function addFunds(command: Command<'AddFunds'>, state: BillingState): readonly BillingEvent[] {
  const { userId, paymentIntentId, quantity, amount, currency, funds, discountCode, at } = command;
  if (lookUp(state, 'payments', paymentIntentId)) return [];
  checkAmounts(amount, funds);
  checkCurrency(state, currency);
  const code = discountCode === undefined ? {} : { discountCode };
  const balance = state.funds.amount + funds;
  return [
    {
      type: 'FundsAdded',
      data: { userId, paymentIntentId, quantity, amount, currency, funds, balance, ...code, addedAt: at },
    },
  ];
}

/** All funds are in one currency. @throws DomainError CURRENCY_MISMATCH */
export function checkCurrency({ funds }: BillingState, currency: string): void {
  if (funds.currency === null || funds.currency === currency) return;
  throw new DomainError(
    'CURRENCY_MISMATCH',
    `Your funds are in ${funds.currency.toUpperCase()}, so nothing can be added in ${currency.toUpperCase()}.`,
  );
}

function grantCredits(
  { userId, grantId, credits, noteId, at }: Command<'GrantCredits'>,
  state: BillingState,
): readonly BillingEvent[] {
  if (lookUp(state, 'known', markOf('grant', grantId))) return [];
  if (!Number.isInteger(credits) || credits < 1 || credits > MOST_CREDITS)
    throw new DomainError('CREDITS_INVALID', `A grant is of 1 to ${MOST_CREDITS} credits.`);
  return [
    {
      type: 'CreditsGranted',
      data: { userId, grantId, credits, noteId, balance: state.credits + credits, grantedAt: at },
    },
  ];
}

function recordRefund(command: Command<'RecordRefund'>, state: BillingState): readonly BillingEvent[] {
  const { userId, refundId, paymentIntentId, amount, currency, at } = command;
  if (lookUp(state, 'known', markOf('refund', refundId))) return [];
  checkAmounts(amount, 0);
  const payment = paymentOf(command, state);
  const funds = payment ? fundsToTakeBack({ ...payment, refunded: payment.refunded + amount }) - payment.takenBack : 0;
  const balance = state.funds.amount - funds;
  return [
    {
      type: 'PaymentRefunded',
      data: { userId, refundId, paymentIntentId, amount, currency, funds, balance, refundedAt: at },
    },
    ...heldForRefund({ userId, paymentIntentId, amount, at }, state),
  ];
}

/** However often it is reported, a dispute is opened once, then won or lost once. */
function recordDispute(command: Command<'RecordDispute'>, state: BillingState): readonly BillingEvent[] {
  const { userId, disputeId, paymentIntentId, currency, status, at } = command;
  const known = lookUp(state, 'disputes', disputeId);
  if (known && (known.status !== 'open' || status === 'open')) return [];
  // Closing a dispute uses the amount it was opened with, even if the provider now reports another.
  const amount = known?.amount ?? command.amount;
  checkAmounts(amount, 0);
  const payment = paymentOf(command, state);
  const of = { userId, disputeId, paymentIntentId, amount, currency };
  const open = payment && (known ? payment : { ...payment, disputed: payment.disputed + amount });
  const taken = open && payment ? fundsToTakeBack(open) - payment.takenBack : 0;
  const balance = state.funds.amount - (known ? 0 : taken);
  const opened: BillingEvent = { type: 'DisputeOpened', data: { ...of, funds: taken, balance, openedAt: at } };
  const ofPlan = { userId, paymentIntentId, disputeId, at };
  const held = known || status === 'won' ? [] : heldForDispute(ofPlan, state);
  const past = known ? [] : [opened, ...held];
  if (status === 'open') return past;
  if (status === 'lost') return [...past, { type: 'DisputeLost', data: { ...of, funds: 0, balance, lostAt: at } }];
  const back = open ? fundsToTakeBack(open) - fundsToTakeBack({ ...open, disputed: open.disputed - amount }) : 0;
  const won: BillingEvent = { type: 'DisputeWon', data: { ...of, funds: back, balance: balance + back, wonAt: at } };
  return [...past, won, ...freedByDispute(ofPlan, state)];
}

/** Null for a payment that did not add funds. */
function paymentOf({ purpose, paymentIntentId, currency }: OfPayment & Purpose, state: BillingState): Payment | null {
  if (purpose === 'subscription') return null;
  const payment = lookUp(state, 'payments', paymentIntentId);
  if (!payment) throw new DomainError('PAYMENT_UNKNOWN', 'This payment is not in the books yet.');
  if (payment.currency !== currency)
    throw new DomainError('CURRENCY_MISMATCH', `The payment was in ${payment.currency}, this is in ${currency}.`);
  return payment;
}

function checkAmounts(...amounts: readonly number[]): void {
  if (amounts.some((amount) => !Number.isSafeInteger(amount) || amount < 0))
    throw new DomainError('AMOUNT_INVALID', 'An amount is a whole number of cents that is not negative.');
}
