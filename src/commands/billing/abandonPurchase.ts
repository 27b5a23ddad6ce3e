import { DomainError } from '../../domain/decider.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { recordPayment } from './recordPayment.ts';

/**
 * Gives up a purchase of reports that was not paid: it cannot be paid any more, and the use of a code that it kept is
 * free again. No effect on one that was paid, or is being processed. Returns whether it was given up
 * now.
 * @throws DomainError PAYMENT_NOT_FOUND; PaymentFault
 */
export async function abandonPurchase(
  ctx: CommandContext,
  {
    userId,
    payments,
    paymentIntentId,
  }: {
    readonly userId: string;
    readonly payments: Pick<Payments, 'payment' | 'cancelPayment'>;
    readonly paymentIntentId: string;
  },
): Promise<boolean> {
  const payment = await payments.payment(paymentIntentId);
  // Another user's payment, or one not made for reports, counts as missing.
  if (payment?.userId !== userId || payment.purpose !== 'funds')
    throw new DomainError('PAYMENT_NOT_FOUND', 'Payment not found');
  const isOpen = payment.status === 'open';
  if (isOpen) await payments.cancelPayment(paymentIntentId);
  // It may have been paid in the meantime, or canceled at the provider before.
  const after = isOpen ? await payments.payment(paymentIntentId) : payment;
  if (after) await recordPayment(ctx, after);
  return isOpen && after?.status === 'canceled';
}
