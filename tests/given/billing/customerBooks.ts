/** A provider that knows customers and nothing else, as far as what follows from accounts asks for it: one for each key, none once it is forgotten. */
import { PaymentFault, type Payments } from '../../../src/integrations/payments/payments.ts';

export type CustomerBooks = Pick<Payments, 'mode' | 'customer' | 'makeCustomer' | 'forgetCustomer'> & {
  /** Those that it knows, by their users. */
  readonly known: ReadonlyMap<string, string>;
  readonly made: readonly { readonly userId: string; readonly email: string }[];
  /** It does not answer from now on, or does again. */
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
