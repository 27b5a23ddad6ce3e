/** Warns of plans that run, but whose product is none of those for sale: a plan was relaunched as a new product. */
import type { Logger } from 'pino';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import { listSoldProducts } from '../projections/billing.ts';
import type { ReadModels } from '../readModels/readModels.ts';

type Parts = {
  readonly store: Pick<EventStore, 'head'>;
  readonly readModels: ReadModels;
  readonly payments: Pick<Payments, 'catalogue'>;
  readonly log: Pick<Logger, 'warn'>;
};

const REACHED_MS = 60_000;

/** Compares the bills with the prices of the settings, once. What cannot be compared now is compared at the next start. */
export async function warnOfUnknownProducts({ store, readModels, payments, log }: Parts): Promise<void> {
  if (!(await readModels.reached(['billing'], await store.head(), REACHED_MS))) return;
  const sold = await listSoldProducts(readModels);
  if (sold.length === 0) return;
  const known = new Set((await payments.catalogue()).tiers.map(({ productId }) => productId));
  const products = sold.filter((product) => !known.has(product));
  if (products.length > 0)
    log.warn(
      { products },
      'plans are running whose products are none of the four that the settings name; their owners keep the tier they have',
    );
}
