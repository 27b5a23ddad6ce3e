import { billingDecider } from '../../domain/billing/decide.ts';
import { type BillingEvent, billingStream } from '../../domain/billing/events.ts';
import { lookUp } from '../../domain/billing/ledger.ts';
import type { ProviderPayment } from '../../domain/billing/providerPayment.ts';
import { DomainError } from '../../domain/decider.ts';
import { type Position, START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { releaseCodeUse, settleCodeUse } from './codeUses.ts';

export type RecordedPayment = {
  /** What this call wrote; empty if everything was already recorded. */
  readonly events: readonly BillingEvent[];
  /** Funds added by the payment, in this call or an earlier one; null if none (yet). */
  readonly fundsAdded: number | null;
  /** Current funds, in cents. */
  readonly balance: number;
  readonly position: Position;
};

/**
 * Records what is new about a payment, given its current state at the provider: funds, refunds, disputes. Each counts
 * once, however often it is reported.
 * @throws DomainError PAYMENT_NOT_FOUND for a payment created for no user; CURRENCY_MISMATCH, AMOUNT_INVALID
 */
export async function recordPayment(ctx: CommandContext, payment: ProviderPayment): Promise<RecordedPayment> {
  const { userId, paymentIntentId, purpose, amount, currency, agreed } = payment;
  if (userId === null) throw new DomainError('PAYMENT_NOT_FOUND', 'Payment not found');
  const of = { userId, paymentIntentId, currency, at: ctx.now() } as const;
  const { status, refunds, disputes } = payment;
  // A fully refunded payment keeps the status succeeded.
  const added = status === 'succeeded' && purpose === 'funds' ? agreed : null;
  const code = added?.discountCode ? { discountCode: added.discountCode } : {};
  const commands = [
    ...(added
      ? [{ ...of, type: 'AddFunds' as const, amount, quantity: added.quantity, funds: added.funds, ...code }]
      : []),
    ...refunds.map((refund) => ({
      ...of,
      type: 'RecordRefund' as const,
      purpose,
      refundId: refund.refundId,
      amount: refund.amount,
    })),
    ...disputes.map((dispute) => ({
      ...of,
      type: 'RecordDispute' as const,
      purpose,
      disputeId: dispute.disputeId,
      amount: dispute.amount,
      status: dispute.status,
    })),
  ];
  const events: BillingEvent[] = [];
  let last: { readonly balance: number; readonly fundsAdded: number | null; readonly position: Position } = {
    balance: 0,
    fundsAdded: null,
    position: START,
  };
  for (const command of commands) {
    const { events: written, state, position } = await handle(ctx, billingDecider, billingStream(userId), command);
    events.push(...written);
    last = {
      balance: state.funds.amount,
      fundsAdded: lookUp(state, 'payments', paymentIntentId)?.funds ?? null,
      position,
    };
  }
  if (added?.codeUse) {
    const code = added.discountCode ?? '';
    await settleCodeUse(ctx, { ...added.codeUse, code, userId, paymentIntentId });
  }
  if (status === 'canceled' && agreed?.codeUse) await releaseCodeUse(ctx, agreed.codeUse, 'left');
  return { events, ...last };
}
