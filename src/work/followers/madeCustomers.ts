/**
 * Creates the payment provider's customer if the sign-up did not. Older accounts get theirs with their first purchase.
 */

import { ensureCustomer } from '../../commands/billing/ensureCustomer.ts';
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { unlessRefused } from '../../commands/unlessRefused.ts';
import { customerIn } from '../../domain/billing/customer.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type MadeCustomersDeps = {
  readonly context: ContextOf;
  /** Null: nothing is sold here. */
  readonly payments: Pick<Payments, 'mode' | 'customer' | 'makeCustomer'> | null;
};

/** Until then the sign-up itself may still be creating it. */
const GRACE_MS = 10_000;

export function createMadeCustomers({ context, payments }: MadeCustomersDeps): Follower {
  return followerOf({
    name: 'madeCustomers',
    // Once its address is claimed, an account is permanent.
    types: ['EmailClaimed', 'EmailContended'],
    begins: 'a_day_back',
    async follow(event) {
      if (!payments) return;
      const { userId } = event.data;
      const ctx = context(event);
      const { state } = await loadState(ctx.store, billingDecider, billingStream(userId));
      if (customerIn(state.customers, payments.mode) !== null) return;
      if (Date.parse(ctx.now()) - Date.parse(event.metadata.at) < GRACE_MS)
        throw new NotYet('A sign-up may still be under way.');
      await ensureCustomer(ctx, { userId, payments }).catch(unlessRefused('ACCOUNT_NOT_FOUND'));
    },
  });
}
