/**
 * For a deleted account: ends its subscriptions at the payment provider, so that nothing more is charged, and has its
 * customers erased there. Separate from the other parts of an account, which must not wait for an unavailable provider.
 */

import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { type Follower, followerOf } from '../follower.ts';

export type ForgottenCustomersDeps = {
  readonly context: ContextOf;
  /** Null: nothing is sold here. */
  readonly payments: Pick<Payments, 'mode' | 'forgetCustomer'> | null;
};

export function createForgottenCustomers({ context, payments }: ForgottenCustomersDeps): Follower {
  return followerOf({
    name: 'forgottenCustomers',
    // A customer linked after the deletion was being created at that moment.
    types: ['AccountDeleted', 'CustomerLinked'],
    begins: 'at_the_start',
    async follow(event) {
      const { userId } = event.data;
      const { store } = context(event);
      const { state: account } = await loadState(store, accountDecider, accountStream(userId));
      if (account.status === 'active') return;
      const { state: bill } = await loadState(store, billingDecider, billingStream(userId));
      for (const { customerId, mode } of bill.customers) {
        if (mode === payments?.mode) await payments.forgetCustomer(customerId);
        // The sandbox belongs to this installation: its books end with it.
        else if (mode !== 'sandbox')
          throw new Error(
            `A customer of a deleted account is in the provider's ${mode} books, which are not in use now.`,
          );
      }
    },
  });
}
