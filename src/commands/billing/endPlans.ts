import { billingStream } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { loadState } from '../handle.ts';
import { type OfPayer, recordSubscriptions } from './recordSubscriptions.ts';

/** Ends all subscriptions of a user at once, including those that the bill does not know yet. Nothing to end: nothing happens. @throws PaymentFault */
export async function endPlans(ctx: CommandContext, { userId, payments }: OfPayer): Promise<void> {
  const { customers } = (await loadState(ctx.store, billingDecider, billingStream(userId))).state;
  let ended = 0;
  for (const { customerId } of customers.filter(({ mode }) => mode === payments.mode)) {
    for (const { subscription } of await payments.subscriptionsOf(customerId)) {
      const { subscriptionId, status } = subscription;
      if (status === 'canceled') continue;
      await payments.cancel({ subscriptionId, immediately: true, key: derivedId(ctx.commandId, `end ${subscriptionId}`) });
      ended += 1;
    }
  }
  if (ended > 0) await recordSubscriptions(ctx, { userId, payments });
}
