/** A provider with only customers, as needed by the followers of accounts: one per key, until it is deleted. */
import { PaymentFault, type Payments } from '../../../src/integrations/payments/payments.ts';

export type CustomerBooks = Pick<Payments, 'mode' | 'customer' | 'makeCustomer' | 'forgetCustomer'> & {
  /** Its customers by user. */
  readonly known: ReadonlyMap<string, string>;
  readonly made: readonly { readonly userId: string; readonly email: string }[];
  /** Makes it unavailable or available again. */
  away(isAway: boolean): void;
};

export function customerBooks(mode: Payments['mode'] = 'test'): CustomerBooks {
  const known = new Map<string, string>();
  const byKey = new Map<string, string>();
  const made: { userId: string; email: string }[] = [];
  let isAway = false;
  const answering = (): void => {
    if (isAway) throw new PaymentFault('UNAVAILABLE', 'It is away.');
  };
  return {
    mode,
    known,
    made,
    away: (next) => {
      isAway = next;
    },
    async makeCustomer({ userId, email, key }) {
      answering();
      const customerId = byKey.get(key) ?? `cus_${mode}_${byKey.size + 1}`;
      if (!byKey.has(key)) {
        byKey.set(key, customerId);
        known.set(customerId, userId);
        made.push({ userId, email });
      }
      return { customerId };
    },
    async customer(customerId) {
      answering();
      return known.has(customerId) ? { customerId, name: null, email: null, address: null } : null;
    },
    async forgetCustomer(customerId) {
      answering();
      known.delete(customerId);
    },
  };
}
