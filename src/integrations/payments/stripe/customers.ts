/** Customers and promotion codes. */
import type Stripe from 'stripe';
import { type CountedCode, PaymentFault, type Payments, type PostalAddress, type PromotionCode } from '../payments.ts';
import type { Prices } from './catalogue.ts';
import { expandedOf, idOf, isoOf, orNull, type StripeClient } from './client.ts';

/**
 * Our own checkbox asks whether to save a card, and cards are removed in the billing portal, because a plan may depend
 * on them. `unspecified` cards were saved before consent was passed on to the provider; `limited` ones were saved for a
 * plan only.
 */
const SAVED_CARDS = {
  payment_method_redisplay: 'enabled',
  payment_method_redisplay_limit: 10,
  payment_method_allow_redisplay_filters: ['always', 'unspecified'],
  payment_method_save: 'disabled',
  payment_method_remove: 'disabled',
} satisfies Stripe.CustomerSessionCreateParams.Components.PaymentElement.Features;

export function customerCalls(
  client: StripeClient,
): Pick<Payments, 'makeCustomer' | 'customer' | 'openCustomerSession' | 'forgetCustomer'> {
  return {
    async makeCustomer({ userId, email, name, key }) {
      // Keys expire after a day; a customer created by an older lost try is found by its user id.
      const { data } = await client.ask((stripe) => stripe.customers.list({ email, limit: 100 }));
      const made = data.find(({ metadata }) => metadata.user_id === userId);
      if (made) return { customerId: made.id };
      const { id } = await client.askOnce(key, (stripe, options) =>
        stripe.customers.create({ email, ...(name ? { name } : {}), metadata: { user_id: userId } }, options),
      );
      return { customerId: id };
    },

    async customer(customerId) {
      const found = await orNull(client.ask((stripe) => stripe.customers.retrieve(customerId)));
      if (!found || found.deleted) return null;
      const { name, address } = found.address ? found : ((await lastBilled(client, customerId)) ?? found);
      return {
        customerId,
        name: name ?? found.name ?? null,
        email: found.email,
        address: address ? postalOf(address) : null,
      };
    },

    async openCustomerSession({ customerId, key }) {
      const components = { payment_element: { enabled: true, features: SAVED_CARDS } };
      const { client_secret } = await client.askOnce(key, (stripe, options) =>
        stripe.customerSessions.create({ customer: customerId, components }, options),
      );
      return { clientSecret: client_secret };
    },

    async forgetCustomer(customerId) {
      await orNull(client.ask((stripe) => stripe.customers.del(customerId)));
    },
  };
}

/** Buyers enter name and address with the card: the provider stores them with the charge, not with the customer. */
async function lastBilled(
  client: StripeClient,
  customer: string,
): Promise<Pick<Stripe.Charge.BillingDetails, 'name' | 'address'> | null> {
  const { data } = await client.ask((stripe) => stripe.charges.list({ customer, limit: 20 }));
  // Charges for plans have at most a ZIP code and a country.
  return data.find(({ paid, billing_details }) => paid && billing_details.address?.line1)?.billing_details ?? null;
}

function postalOf({ line1, line2, city, state, postal_code, country }: Stripe.Address): PostalAddress {
  return { line1, line2, city, state, postalCode: postal_code, country };
}

/** Active codes with this spelling: at most one for everyone, and possibly some for single customers. */
async function codesOf(client: StripeClient, code: string): Promise<readonly Stripe.PromotionCode[]> {
  const wanted = code.trim();
  if (!/^[\w-]{1,500}$/.test(wanted)) return [];
  const expand = ['data.promotion.coupon.applies_to'];
  return (await client.ask((stripe) => stripe.promotionCodes.list({ code: wanted, active: true, limit: 100, expand })))
    .data;
}

/** The provider checks the code's conditions when the plan is bought. */
export async function findPlanCode(
  client: StripeClient,
  { code, customerId }: { readonly code: string; readonly customerId: string },
): Promise<CountedCode | null> {
  const codes = await codesOf(client, code);
  const found =
    codes.find(({ customer }) => idOf(customer) === customerId) ?? codes.find(({ customer }) => customer === null);
  return found ? countedOf(found) : null;
}

function countedOf({ id: promotionCodeId, promotion, ...own }: Stripe.PromotionCode): CountedCode {
  const coupon = expandedOf(promotion.coupon);
  const limit = (of: Pick<Stripe.Coupon, 'max_redemptions' | 'times_redeemed'> | null) =>
    of === null || of.max_redemptions === null ? null : { max: of.max_redemptions, used: of.times_redeemed };
  const limits = { code: limit(own), coupon: limit(coupon) };
  const isLimited = limits.code !== null || limits.coupon !== null;
  const couponId = idOf(promotion.coupon) ?? '';
  return { promotionCodeId, code: own.code, couponId, limits: isLimited ? limits : null };
}

/** Ignores codes with conditions (customer, first purchase, products, minimum amount), which nothing would check. */
export async function findPromotionCode(
  client: StripeClient,
  prices: Prices,
  code: string,
): Promise<PromotionCode | null> {
  const found = (await codesOf(client, code)).find((each) => !isConditional(each));
  const coupon = expandedOf(found?.promotion.coupon);
  if (!found || !coupon?.valid || coupon.applies_to) return null;
  if (coupon.amount_off !== null && coupon.currency !== (await prices.catalogue()).report.currency) return null;
  if ((coupon.percent_off === null) === (coupon.amount_off === null))
    throw new PaymentFault('REFUSED', `The coupon of ${found.code} takes nothing off.`);
  const ends = [found.expires_at, coupon.redeem_by].filter((end) => end !== null);
  return {
    ...countedOf(found),
    percentOff: coupon.percent_off,
    amountOff: coupon.amount_off,
    currency: coupon.currency,
    description: coupon.name,
    expiresAt: ends.length === 0 ? null : isoOf(Math.min(...ends)),
  };
}

const isConditional = ({ customer, restrictions }: Stripe.PromotionCode): boolean =>
  customer !== null || restrictions.first_time_transaction || restrictions.minimum_amount !== null;
