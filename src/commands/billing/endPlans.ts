import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { loadState } from '../handle.ts';
import { type PayerInput, recordSubscriptions } from './recordSubscriptions.ts';

/**
 * Ends all of a user's plans immediately, including those missing from the bill. No effect if there are none. Leaves
 * what the customer has of other products alone.
 * @throws PaymentFault
 */
export async function endPlans(ctx: CommandContext, { userId, payments }: PayerInput): Promise<void> {
  const { customers, subscriptions } = (await loadState(ctx.store, billingDecider, billingStream(userId))).state;
  let ended = 0;
  for (const { customerId } of customers.filter(({ mode }) => mode === payments.mode)) {
    for (const { subscription } of await payments.subscriptionsOf(customerId)) {
      const { subscriptionId, status, tier } = subscription;
      const isOurs = tier !== null || subscriptions.some((each) => each.subscriptionId === subscriptionId);
      if (status === 'canceled' || !isOurs) continue;
      await payments.cancel({
        subscriptionId,
        immediately: true,
        key: derivedId(ctx.commandId, `end ${subscriptionId}`),
      });
      ended += 1;
    }
  }
  if (ended > 0) await recordSubscriptions(ctx, { userId, payments });
}
