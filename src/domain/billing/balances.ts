/** Funds and credits: additions and reversals. */

import { shareOf } from '../../model/purchase.ts';
import type { BillingEventData, MoneyEvent } from './events.ts';
import { type BillingState, ledgerFor, lookUp, markOf, type Payment, write } from './ledger.ts';

export function evolveMoney(state: BillingState, event: MoneyEvent): BillingState {
  switch (event.type) {
    case 'FundsAdded':
      return added(state, event.data);
    case 'CreditsGranted': {
      const { grantId, credits } = event.data;
      const ledger = ledgerFor(state);
      write(ledger, ledger.known, markOf('grant', grantId), true);
      return { ...state, ledger, upTo: ledger.events, credits: state.credits + credits };
    }
    case 'PaymentRefunded': {
      const { refundId, amount, funds } = event.data;
      const after = reversed(
        state,
        event.data,
        ({ refunded, takenBack }) => ({ refunded: refunded + amount, takenBack: takenBack + funds }),
        -funds,
      );
      write(after.ledger, after.ledger.known, markOf('refund', refundId), true);
      refundedForPlan(after, event.data);
      return after;
    }
    case 'DisputeOpened': {
      const { amount, funds } = event.data;
      const after = reversed(
        state,
        event.data,
        ({ disputed, takenBack }) => ({ disputed: disputed + amount, takenBack: takenBack + funds }),
        -funds,
      );
      return disputed(after, event.data, 'open');
    }
    case 'DisputeWon': {
      const { amount, funds } = event.data;
      const after = reversed(
        state,
        event.data,
        (past) => ({ disputed: past.disputed - amount, takenBack: past.takenBack - funds }),
        funds,
      );
      return disputed(after, event.data, 'won');
    }
    case 'DisputeLost':
      return disputed(
        reversed(state, event.data, () => ({}), 0),
        event.data,
        'lost',
      );
    default:
      event satisfies never;
      return state;
  }
}

/**
 * The part of the funds to take back, in proportion to the refunded and disputed part of the payment; all of it once
 * the full payment is reversed, and never more.
 */
export function fundsToTakeBack({ paid, funds, refunded, disputed: open }: Payment): number {
  return paid === 0 ? 0 : shareOf(funds, Math.min(paid, refunded + open), paid);
}

function added(
  state: BillingState,
  { paymentIntentId, amount, currency, funds }: BillingEventData<'FundsAdded'>,
): BillingState {
  const ledger = ledgerFor(state);
  write(ledger, ledger.payments, paymentIntentId, {
    paid: amount,
    funds,
    currency,
    refunded: 0,
    disputed: 0,
    takenBack: 0,
  });
  return { ...state, ledger, upTo: ledger.events, funds: { amount: state.funds.amount + funds, currency } };
}

type OfPayment = { readonly paymentIntentId: string };

/** A refund may be reported before the payment for a plan. `state` is the one after the event. */
function refundedForPlan(state: BillingState, { paymentIntentId, amount }: BillingEventData<'PaymentRefunded'>): void {
  if (lookUp(state, 'payments', paymentIntentId)) return;
  const nothing = { subscriptionId: null, periodStart: '', amount: 0, refunded: 0 };
  const payment = lookUp(state, 'planPayments', paymentIntentId) ?? nothing;
  const { ledger } = state;
  write(ledger, ledger.planPayments, paymentIntentId, { ...payment, refunded: payment.refunded + amount });
}

/** A payment for a plan added no funds, so none are taken back. */
function reversed(
  state: BillingState,
  { paymentIntentId }: OfPayment,
  change: (payment: Payment) => Partial<Payment>,
  funds: number,
): BillingState {
  const payment = lookUp(state, 'payments', paymentIntentId);
  const ledger = ledgerFor(state);
  if (payment) write(ledger, ledger.payments, paymentIntentId, { ...payment, ...change(payment) });
  return { ...state, ledger, upTo: ledger.events, funds: { ...state.funds, amount: state.funds.amount + funds } };
}

/** `state` is the one after the event: its ledger already includes it. */
function disputed(
  state: BillingState,
  { disputeId, amount, paymentIntentId }: OfPayment & { readonly disputeId: string; readonly amount: number },
  status: 'open' | 'won' | 'lost',
): BillingState {
  write(state.ledger, state.ledger.disputes, disputeId, { status, amount, paymentIntentId });
  return state;
}
