/** The products and customers, as known to the payment provider. */
import { onRequest, planOf } from '../../domain/billing/plans.ts';
import type { Catalogue, Customer, PromotionCode } from '../../integrations/payments/payments.ts';
import { unitsOf } from '../../model/money.ts';
import { TIERS, type Tier } from '../../model/tiers.ts';
import type { CustomerInfoResponse, ValidateDiscountResponse } from '../contract/payments.ts';
import type { PlanView } from '../contract/subscriptions.ts';

export function presentCustomer({ name, email, address }: Customer): CustomerInfoResponse['customer'] {
  if (!address) return { name, email, address };
  const { line1, line2, city, state, postalCode: postal_code, country } = address;
  return { name, email, address: { line1, line2, city, state, postal_code, country } };
}

/** `left`: uses for plans and reports that are left; null: no limit. */
export function presentPromotion(promotion: PromotionCode, left: number | null): ValidateDiscountResponse {
  const { promotionCodeId: id, code, percentOff, amountOff, currency, description, expiresAt } = promotion;
  const { code: own, coupon } = promotion.limits ?? { code: null, coupon: null };
  const limits = [own, coupon].flatMap((limit) => (limit ? [limit.max] : []));
  return {
    success: true,
    valid: true,
    id,
    code,
    percentOff,
    amountOff,
    currency,
    description,
    maxRedemptions: limits.length === 0 ? null : Math.min(...limits),
    remainingRedemptions: left,
    expiresAt,
  };
}

/** In tier order. A paid tier without a price is not sold. */
export function presentPlans({ report, tiers }: Catalogue, freeAnalysesPerMonth: number): readonly PlanView[] {
  return TIERS.flatMap((tier) => {
    if (tier === 'free') return [planView(tier, { amount: 0, currency: report.currency }, freeAnalysesPerMonth)];
    const price = tiers.find((each) => each.tier === tier);
    return price ? [planView(tier, price, planOf(tier).analysesPerMonth)] : [];
  });
}

function planView(
  tier: Tier,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  domainsPerMonth: number,
): PlanView {
  const plan = planOf(tier);
  const { key, name, actionItemsLimit, highlighted } = plan;
  const price = { price: unitsOf({ amount, currency }), unit_amount: amount, currency, interval: 'month' as const };
  const features = { features: [...plan.features], on_request: [...onRequest(plan)] };
  return { key, name, ...price, domainsPerMonth, actionItemsLimit, ...features, highlighted };
}
