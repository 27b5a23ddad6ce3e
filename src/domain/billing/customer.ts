/** Links an account to the payment provider's customer record. */
import type { BillingEvent, BillingEventData, CustomerMode } from './events.ts';
import type { BillingState, Customer } from './ledger.ts';

export type CustomerCommand = {
  readonly type: 'LinkCustomer';
  readonly userId: string;
  readonly customerId: string;
  readonly mode: CustomerMode;
  readonly at: string;
};

/** The current customer in that mode; null if there is none yet. */
export function customerIn(customers: readonly Customer[], mode: CustomerMode): string | null {
  return customers.findLast((customer) => customer.mode === mode)?.customerId ?? null;
}

/** Idempotent. */
export function linkCustomer(
  { userId, customerId, mode, at }: CustomerCommand,
  { customers }: BillingState,
): readonly BillingEvent[] {
  const isLinked = customers.some((known) => known.mode === mode && known.customerId === customerId);
  return isLinked ? [] : [{ type: 'CustomerLinked', data: { userId, customerId, mode, linkedAt: at } }];
}

export function evolveCustomers(
  customers: readonly Customer[],
  { customerId, mode }: BillingEventData<'CustomerLinked'>,
): readonly Customer[] {
  return [...customers, { customerId, mode }];
}
