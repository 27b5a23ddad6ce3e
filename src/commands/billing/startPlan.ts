import type { Subscription } from '../../domain/billing/subscription.ts';
import { DomainError } from '../../domain/decider.ts';
import { PaymentFault } from '../../integrations/payments/payments.ts';
import { nameOfTier, type PaidTier } from '../../model/tiers.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { endCheckoutsInTheWay } from './codeCheckouts.ts';
import { codeUsesLeft } from './codeUses.ts';
import { ensureCustomer } from './ensureCustomer.ts';
import { type PayerInput, recordSubscriptions } from './recordSubscriptions.ts';
import { discountInvalid } from './startPurchase.ts';

export type StartPlan = PayerInput & {
  readonly tier: PaidTier;
  readonly promotionCode: string | null;
  /** Both URLs are on this installation. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};

/**
 * A checkout page at the provider for a first plan. `code`: the promotion code, in the provider's spelling. Only the provider reports whether it was paid.
 * @throws DomainError SUBSCRIPTION_EXISTS, DISCOUNT_INVALID, ACCOUNT_NOT_FOUND; PaymentFault
 */
export async function startPlan(
  ctx: CommandContext,
  input: StartPlan,
): Promise<{ readonly url: string; readonly code: string | null }> {
  const { userId, payments, tier, successUrl, cancelUrl } = input;
  const customerId = await ensureCustomer(ctx, { userId, payments });
  const { current } = await recordSubscriptions(ctx, { userId, payments });
  if (current) throw subscriptionExists(current);
  const code = input.promotionCode;
  const promotion = code === null ? null : await payments.planCode({ code, customerId });
  if (promotion) await endCheckoutsInTheWay(ctx, { userId, payments, promotion });
  // Uses for reports are ours to count.
  if (code !== null && (!promotion || (await codeUsesLeft(ctx.store, promotion, ctx.now()))?.free === 0))
    throw discountInvalid();
  const promotionCodeId = promotion?.promotionCodeId ?? null;
  const key = derivedId(ctx.commandId, 'checkout');
  const checkout = payments.startCheckout({ userId, customerId, tier, promotionCodeId, successUrl, cancelUrl, key });
  const { url } = await checkout.catch((error: unknown) => {
    // The code is valid, but not for this customer or plan.
    throw code !== null && error instanceof PaymentFault && error.fault === 'REFUSED' ? discountInvalid() : error;
  });
  return { url, code: promotion?.code ?? null };
}

/** A subscription on hold cannot be changed, only paid or ended. */
function subscriptionExists({ status, tier, suspendedFor }: Subscription): DomainError {
  if (suspendedFor.length > 0) {
    const name = nameOfTier(tier);
    return new DomainError(
      'SUBSCRIPTION_EXISTS',
      `Your ${name} plan is on hold because of a dispute or a refund. Cancel it before you choose another.`,
    );
  }
  const text =
    status === 'unpaid' || status === 'inactive'
      ? `Your ${nameOfTier(tier)} plan is on hold. Pay its open invoice or end it in the billing portal first.`
      : 'You have a plan already. Change it instead of buying a second one.';
  return new DomainError('SUBSCRIPTION_EXISTS', text);
}
