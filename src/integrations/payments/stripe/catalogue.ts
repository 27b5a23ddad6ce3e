/** Maps the configured prices to the provider's, and prices to tiers. */
import type Stripe from 'stripe';
import { decimalText, digitsOf, isOnlyWhole } from '../../../model/money.ts';
import { nameOfTier, type PaidTier, TIERS } from '../../../model/tiers.ts';
import { type Catalogue, PaymentFault, type TierPrice } from '../payments.ts';
import { idOf, orNull, type StripeClient } from './client.ts';

/** Each is a price id (`price_…`) or a lookup key. */
export type PriceNames = { readonly report: string; readonly tiers: Readonly<Record<PaidTier, string>> };

/** What a price sells: `tier` is null if its product is none of the plans. */
export type SoldPrice = {
  readonly tier: PaidTier | null;
  readonly productId: string;
  /** For one period. */
  readonly amount: number;
  /** Months in a period; 1 if it is shorter. */
  readonly months: number;
};

export type Prices = {
  catalogue(): Promise<Catalogue>;
  /** Null if there is no such price. Recognizes a plan's old prices, too, by their product. */
  soldBy(price: string | Stripe.Price): Promise<SoldPrice | null>;
  priceIdOf(tier: PaidTier): Promise<string>;
};

type Kept = { readonly catalogue: Catalogue; readonly tierOfProduct: ReadonlyMap<string, PaidTier> };

const KEPT_MS = 5 * 60_000;
/** After a failure, the provider is not queried again for this long, so that nobody else has to wait. */
const AWAY_MS = 60_000;
const PAID_TIERS = TIERS.filter((tier): tier is PaidTier => tier !== 'free');

export function createPrices(client: StripeClient, names: PriceNames, now: () => string): Prices {
  let kept: Kept | null = null;
  let goodUntil = 0;
  let underWay: Promise<Kept> | null = null;
  const prices = new Map<string, Stripe.Price>();

  async function fresh(): Promise<Kept> {
    const found = await namedPrices(client, [names.report, ...PAID_TIERS.map((tier) => names.tiers[tier])]);
    const report = reportPrice(found, names.report);
    const tiers = PAID_TIERS.map((tier) => tierPrice(found, tier, names.tiers[tier]));
    const odd = tiers.find(({ currency }) => currency !== report.currency);
    if (odd)
      throw unfit(
        odd.priceId,
        `is in ${odd.currency}, and the report's price in ${report.currency}; all are in one currency`,
      );
    const tierOfProduct = new Map(tiers.map(({ tier, productId }) => [productId, tier]));
    if (tierOfProduct.size < tiers.length)
      throw new PaymentFault('REFUSED', 'Two plans have the same product; each is a product of its own.');
    return { catalogue: { report, tiers }, tierOfProduct };
  }

  async function read(): Promise<Kept> {
    const at = Date.parse(now());
    if (kept && at < goodUntil) return kept;
    try {
      underWay ??= fresh().finally(() => {
        underWay = null;
      });
      kept = await underWay;
      goodUntil = at + KEPT_MS;
    } catch (error) {
      if (!kept || !(error instanceof PaymentFault) || error.fault !== 'UNAVAILABLE') throw error;
      goodUntil = Date.parse(now()) + AWAY_MS;
    }
    return kept;
  }

  async function soldBy(given: string | Stripe.Price): Promise<SoldPrice | null> {
    const id = typeof given === 'string' ? given : given.id;
    // Kept, because a price never changes its amount or product.
    const price =
      prices.get(id) ??
      (typeof given === 'string' ? await orNull(client.ask((stripe) => stripe.prices.retrieve(given))) : given);
    if (!price) return null;
    prices.set(id, price);
    const productId = idOf(price.product) ?? '';
    const { catalogue, tierOfProduct } = await read();
    const sold = catalogue.tiers.find(({ priceId }) => priceId === id);
    const tier = sold?.tier ?? tierOfProduct.get(productId) ?? null;
    return { tier, productId, amount: price.unit_amount ?? 0, months: monthsOf(price) };
  }

  return {
    catalogue: async () => (await read()).catalogue,
    soldBy,
    priceIdOf: async (tier) => (await read()).catalogue.tiers.find((each) => each.tier === tier)?.priceId ?? '',
  };
}

/** What the items of a subscription sell: the plan among them, else the first. Null if there is none. */
export async function planAmong(
  prices: Prices,
  items: readonly Stripe.SubscriptionItem[],
): Promise<(SoldPrice & { readonly item: Stripe.SubscriptionItem }) | null> {
  let first: (SoldPrice & { readonly item: Stripe.SubscriptionItem }) | null = null;
  for (const item of items) {
    const sold = await prices.soldBy(item.price);
    if (!sold) continue;
    if (sold.tier !== null) return { ...sold, item };
    first ??= { ...sold, item };
  }
  return first;
}

function monthsOf({ recurring }: Stripe.Price): number {
  if (recurring?.interval === 'year') return 12 * recurring.interval_count;
  return recurring?.interval === 'month' ? recurring.interval_count : 1;
}

/** Keyed by the configured names. */
async function namedPrices(client: StripeClient, names: readonly string[]): Promise<ReadonlyMap<string, Stripe.Price>> {
  const [ids, keys] = [names.filter(isId), names.filter((name) => !isId(name))];
  const [byId, byKey] = await Promise.all([
    Promise.all(ids.map((id) => orNull(client.ask((stripe) => stripe.prices.retrieve(id))))),
    keys.length === 0
      ? []
      : client.ask(async (stripe) => (await stripe.prices.list({ lookup_keys: keys, active: true, limit: 100 })).data),
  ]);
  const found = new Map<string, Stripe.Price>();
  for (const price of byId) if (price) found.set(price.id, price);
  for (const price of byKey) if (price.lookup_key !== null) found.set(price.lookup_key, price);
  return found;
}

const isId = (name: string): boolean => name.startsWith('price_');

const unfit = (name: string, why: string): PaymentFault => new PaymentFault('REFUSED', `The price ${name} ${why}.`);

/** @throws PaymentFault REFUSED */
function soldPrice(
  found: ReadonlyMap<string, Stripe.Price>,
  name: string,
): Stripe.Price & { readonly unit_amount: number } {
  const price = found.get(name);
  if (!price)
    throw unfit(
      name,
      'is not there: it must be the id or the lookup key of a price of the account and mode of the secret key',
    );
  if (!price.active) throw unfit(name, 'is archived');
  if (price.unit_amount === null) throw unfit(name, 'has no fixed amount in whole cents');
  const digits = digitsOf(price.currency);
  if (digits !== 2)
    throw unfit(
      name,
      `is in ${price.currency}, which the payment provider counts ${digits === 0 ? 'without decimals' : `with ${digits} decimals`}; a currency with two is needed`,
    );
  if (isOnlyWhole(price.currency))
    throw unfit(
      name,
      `is in ${price.currency}, of which the payment provider charges only whole units; discounts and changes of a plan lead to fractions`,
    );
  return { ...price, unit_amount: price.unit_amount };
}

function reportPrice(found: ReadonlyMap<string, Stripe.Price>, name: string): Catalogue['report'] {
  const price = soldPrice(found, name);
  if (price.type !== 'one_time') throw unfit(name, 'is paid again and again; a report is paid once');
  if (price.unit_amount < 50) throw unfit(name, 'is below 50 cents, the least that can be charged');
  return { priceId: price.id, amount: price.unit_amount, currency: price.currency };
}

function tierPrice(found: ReadonlyMap<string, Stripe.Price>, tier: PaidTier, name: string): TierPrice {
  const price = soldPrice(found, name);
  const every = price.recurring;
  if (every?.interval !== 'month' || every.interval_count !== 1)
    throw unfit(name, `is not paid every month, as the plan ${nameOfTier(tier)} is`);
  if (price.unit_amount % 100 !== 0)
    throw unfit(
      name,
      `is ${decimalText({ amount: price.unit_amount, currency: price.currency })} ${price.currency}; the price of a plan (${nameOfTier(tier)}) is shown as a whole number and must be one`,
    );
  return {
    tier,
    priceId: price.id,
    productId: idOf(price.product) ?? '',
    amount: price.unit_amount,
    currency: price.currency,
    interval: 'month',
  };
}
