/**
 * Of a deleted account: ends its subscriptions at the payment provider, so that nothing is charged any more, and has its customers forgotten there. Apart from
 * the other parts of an account, which do not wait for a provider that is away.
 */
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
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
    // One that is linked behind the deletion was being made at that moment.
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
        // The sandbox is this installation's own: its books end with it.
        else if (mode !== 'sandbox') throw new Error(`A customer of a deleted account is in the provider's ${mode} books, which are not in use now.`);
      }
    },
  });
}
