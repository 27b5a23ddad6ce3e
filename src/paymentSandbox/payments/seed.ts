/** The default catalog: prices from a table, under stable ids. */
import type { Store } from '../books/store.ts';
import { type Interval, newPrice, newProduct } from './prices.ts';

export type SeedPrice = {
  /** Its product and, with the interval appended, its lookup key: `report`, `tier1_monthly`, `tier1_yearly`. */
  readonly key: string;
  readonly name: string;
  /** In the currency's smallest unit. */
  readonly unitAmount: number;
  readonly currency: string;
  /** null: one-time. */
  readonly every: Interval | null;
};

const WORDS: Readonly<Record<Interval, string>> = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' };

const tier = (key: string, name: string, month: number): SeedPrice[] => [
  { key, name, unitAmount: month, currency: 'usd', every: 'month' },
  // A year costs ten months.
  { key, name, unitAmount: month * 10, currency: 'usd', every: 'year' },
];

export const DEFAULT_PRICES: readonly SeedPrice[] = [
  { key: 'report', name: 'Report', unitAmount: 5_000, currency: 'usd', every: null },
  ...tier('free', 'Free', 0),
  ...tier('tier1', 'Basic', 2_900),
  ...tier('tier2', 'Professional', 7_900),
  ...tier('tier3', 'Business', 19_900),
  ...tier('tier4', 'Power', 49_900),
];

export const lookupKeyOf = ({ key, every }: SeedPrice): string => (every === null ? key : `${key}_${WORDS[every]}`);

/** Writes prices that are missing or have changed. */
export function seedPrices(store: Store, prices: readonly SeedPrice[], now: number): void {
  store.inOne(() => {
    for (const seed of prices) {
      const lookupKey = lookupKeyOf(seed);
      const id = `price_${lookupKey}`;
      const product = `prod_${seed.key}`;
      if (!store.get('product', product))
        store.put('product', newProduct(product, seed.name, now, { metadata: { key: seed.key } }));
      const before = store.get('price', id);
      if (before?.unit_amount === seed.unitAmount && before.currency === seed.currency) continue;
      const every = seed.every && { interval: seed.every, count: 1 };
      store.put(
        'price',
        newPrice(
          {
            id,
            product,
            currency: seed.currency,
            unitAmount: seed.unitAmount,
            every,
            lookupKey,
            metadata: { key: seed.key },
          },
          before?.created ?? now,
        ),
      );
    }
  });
}
