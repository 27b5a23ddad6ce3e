import { billingDecider } from '../../domain/billing/decide.ts';
import type { ProviderSubscription, SubscriptionCommand } from '../../domain/billing/decideSubscription.ts';
import { type BillingEvent, billingStream } from '../../domain/billing/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

type Recorded = { readonly events: readonly BillingEvent[]; readonly position: Position };

/** Records what is new about a subscription, given its current state at the provider. Safe to repeat, in any order. */
export async function recordSubscription(
  ctx: CommandContext,
  { userId, subscription }: { readonly userId: string; readonly subscription: ProviderSubscription },
): Promise<Recorded> {
  const { events, position } = await handle(ctx, billingDecider, billingStream(userId), {
    type: 'RecordSubscription',
    userId,
    subscription,
    at: ctx.now(),
  });
  return { events, position };
}

type Invoice = Omit<Extract<SubscriptionCommand, { readonly type: 'RecordInvoice' }>, 'type' | 'at'>;

/**
 * Records a paid invoice, possibly an old one.
 * @throws DomainError SUBSCRIPTION_UNKNOWN: record its subscription first, then retry
 */
export async function recordInvoice(ctx: CommandContext, invoice: Invoice): Promise<Recorded> {
  const { events, position } = await handle(ctx, billingDecider, billingStream(invoice.userId), {
    type: 'RecordInvoice',
    ...invoice,
    at: ctx.now(),
  });
  return { events, position };
}
