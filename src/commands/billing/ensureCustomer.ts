import { accountDecider, DEFAULT_NAME } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { customerIn } from '../../domain/billing/customer.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

export type EnsureCustomer = {
  readonly userId: string;
  readonly payments: Pick<Payments, 'mode' | 'customer' | 'makeCustomer'>;
};

/**
 * The account's customer at the provider: the linked one, or a new one if that is of another mode or unknown to the
 * provider. Safe to repeat, even concurrently: the provider creates one per key. A customer linked to an account that
 * was deleted meanwhile is forgotten by the follower `forgottenCustomers`.
 * @throws DomainError ACCOUNT_NOT_FOUND; PaymentFault
 */
export async function ensureCustomer(ctx: CommandContext, { userId, payments }: EnsureCustomer): Promise<string> {
  const { mode } = payments;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const stream = billingStream(userId);
  const { customers } = (await loadState(ctx.store, billingDecider, stream)).state;
  const linked = customerIn(customers, mode);
  if (linked !== null && (await payments.customer(linked)) !== null) return linked;
  const { email } = account;
  // An account without a name must not be called User on a card.
  const name = account.name === DEFAULT_NAME ? '' : account.name;
  // An idempotency key is bound to its parameters.
  const key = derivedId(userId, 'customer', mode, linked ?? '', email, name);
  const { customerId } = await payments.makeCustomer({ userId, email, name, key });
  await handle(ctx, billingDecider, stream, { type: 'LinkCustomer', userId, customerId, mode, at: ctx.now() });
  return customerId;
}
