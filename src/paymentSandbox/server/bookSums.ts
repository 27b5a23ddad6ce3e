/**
 * The books in total: what every customer paid, was refunded and disputes. A checker compares them with its own ledger.
 */
import type { SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';

type Sums = { charges: number; paid: number; refunded: number; disputed: number };

export type BookSums = { readonly total: Readonly<Sums>; readonly customers: Readonly<Record<string, Readonly<Sums>>> };

const NONE: Readonly<Sums> = { charges: 0, paid: 0, refunded: 0, disputed: 0 };

const plus = (one: Readonly<Sums>, other: Readonly<Sums>): Sums => ({
  charges: one.charges + other.charges,
  paid: one.paid + other.paid,
  refunded: one.refunded + other.refunded,
  disputed: one.disputed + other.disputed,
});

/** Disputes count while open and after being lost. */
export function bookSums({ store }: SandboxContext): BookSums {
  const customers = new Map<string, Sums>();
  const add = (customer: string, sums: Partial<Sums>): void => {
    customers.set(customer, plus(customers.get(customer) ?? NONE, { ...NONE, ...sums }));
  };
  for (const charge of store.each('charge')) {
    if (charge.paid)
      add(idOf(charge.customer) ?? '', { charges: 1, paid: charge.amount, refunded: charge.amount_refunded });
  }
  for (const dispute of store.each('dispute')) {
    const charge = store.get('charge', idOf(dispute.charge) ?? '');
    if (dispute.status !== 'won') add(idOf(charge?.customer) ?? '', { disputed: dispute.amount });
  }
  return { total: [...customers.values()].reduce(plus, { ...NONE }), customers: Object.fromEntries(customers) };
}
