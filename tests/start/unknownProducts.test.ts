/** A start says when the settings name fewer products than the plans that run. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { warnOfUnknownProducts } from '../../src/start/unknownProducts.ts';
import { openShop, type Shop } from '../given/product/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const warned = async (products: readonly string[]): Promise<readonly object[]> => {
  const said: object[] = [];
  const catalogue = await shop.provider.payments.catalogue();
  const tiers = catalogue.tiers.map((tier, nth) => ({ ...tier, productId: products[nth] ?? tier.productId }));
  await warnOfUnknownProducts({
    ...shop,
    payments: { catalogue: async () => ({ ...catalogue, tiers }) },
    log: { warn: (about: object) => said.push(about) },
  });
  return said;
};

it('is quiet without plans, and names each product that is not for sale once', async () => {
  expect(await warned(['prod_other'])).toEqual([]);
  for (const tier of ['tier1', 'tier1', 'tier3']) {
    const { userId } = await shop.signUp();
    const customerId = await shop.provider.customer(userId);
    await shop.provider.subscribe(userId, customerId, tier);
    const [found] = await shop.provider.payments.subscriptionsOf(customerId);
    if (!found) throw new Error('no subscription');
    const { periodStart, periodEnd, price, currency, productId, subscriptionId, asOf } = found.subscription;
    await shop.given(`billing-${userId}`, {
      type: 'SubscriptionStarted',
      data: {
        userId,
        subscriptionId,
        asOf,
        periodStart,
        periodEnd,
        price,
        currency,
        productId,
        tier: found.subscription.tier,
        status: 'active',
        paid: null,
        startedAt: asOf,
      },
    });
  }
  expect(await warned([])).toEqual([]);
  expect(await warned(['prod_basic_2027'])).toEqual([{ products: ['prod_tier1'] }]);
  expect(await warned(['prod_1', 'prod_2', 'prod_3', 'prod_4'])).toEqual([{ products: ['prod_tier1', 'prod_tier3'] }]);
});
