import { billingDecider } from '../../domain/billing/decide.ts';
import { checkCurrency } from '../../domain/billing/decideMoney.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Payments, PromotionCode, StartedPayment } from '../../integrations/payments/payments.ts';
import { type Discount, type PurchaseSums, purchaseSums } from '../../model/purchase.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { loadState } from '../handle.ts';
import { endCheckoutsInTheWay } from './codeCheckouts.ts';
import { releaseCodeUse, reserveCodeUse, startCodeUse } from './codeUses.ts';
import { ensureCustomer } from './ensureCustomer.ts';

export type StartPurchase = {
  readonly userId: string;
  readonly payments: Payments;
  readonly priceId: string;
  /** Number of reports, 1 to 20. */
  readonly quantity: number;
  readonly discountCode: string | null;
  readonly savePaymentMethod: boolean;
  readonly billingEmail: string;
};

/**
 * Creates a payment for reports, to be confirmed in the browser. Its amount and the funds to add are computed only
 * here, from the provider's price and code. Nothing is added until the provider reports the payment.
 * @throws DomainError PRICE_UNKNOWN, CURRENCY_MISMATCH, DISCOUNT_INVALID, ACCOUNT_NOT_FOUND; PaymentFault
 */
export async function startPurchase(
  ctx: CommandContext,
  input: StartPurchase,
): Promise<StartedPayment & PurchaseSums & { readonly currency: string }> {
  const { userId, payments, priceId, quantity, savePaymentMethod, billingEmail } = input;
  const { report } = await payments.catalogue();
  if (priceId !== report.priceId)
    throw new DomainError('PRICE_UNKNOWN', 'The price has changed. Please reload the page.');
  const { currency } = report;
  // Checked before payment: funds that cannot be added afterward would be lost.
  checkCurrency((await loadState(ctx.store, billingDecider, billingStream(userId))).state, currency);
  const code = input.discountCode === null ? null : await promotion(payments, input.discountCode);
  const sums = purchaseSums(quantity, report, code && discountOf(code, currency));
  const customerId = await ensureCustomer(ctx, { userId, payments });
  if (code) await endCheckoutsInTheWay(ctx, { userId, payments, promotion: code });
  const codeUse = code?.limits
    ? await reserveCodeUse(ctx, { userId, promotion: { ...code, limits: code.limits } })
    : null;
  const starting = payments.startPayment({
    userId,
    customerId,
    quantity,
    currency,
    savePaymentMethod,
    billingEmail,
    amount: sums.total,
    funds: sums.funds,
    discountCode: code?.code ?? null,
    codeUse,
    key: derivedId(ctx.commandId, 'payment'),
  });
  const started = await starting.catch(async (error: unknown) => {
    if (codeUse) await releaseCodeUse(ctx, codeUse, 'failed');
    throw error;
  });
  const { paymentIntentId } = started;
  if (codeUse)
    await startCodeUse(ctx, { ...codeUse, paymentIntentId }).catch(async (error: unknown) => {
      await payments.cancelPayment(paymentIntentId);
      throw error;
    });
  return { ...started, ...sums, currency };
}

/** Does not reveal whether a guessed code ever existed. */
export const discountInvalid = (): DomainError => new DomainError('DISCOUNT_INVALID', 'Invalid discount code');

/** @throws DomainError DISCOUNT_INVALID */
async function promotion(payments: Pick<Payments, 'promotionCode'>, code: string): Promise<PromotionCode> {
  const known = await payments.promotionCode(code);
  if (!known) throw discountInvalid();
  return known;
}

/** For a purchase in that currency. @throws DomainError DISCOUNT_INVALID for a fixed discount in another one */
export function discountOf({ percentOff, amountOff, currency: given }: PromotionCode, currency: string): Discount {
  if (percentOff !== null) return { percentOff };
  if (amountOff === null || given !== currency) throw discountInvalid();
  return { amountOff, currency };
}
