import { accountStream } from '../../domain/account/account.ts';
import { accountDecider, DEFAULT_NAME } from '../../domain/account/decide.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { customerIn } from '../../domain/billing/customer.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

export type EnsureCustomer = { readonly userId: string; readonly payments: Pick<Payments, 'mode' | 'customer' | 'makeCustomer'> };

/**
 * The account's customer at the provider: the one that is linked, else a new one. So is one of another mode, or one that the provider does not know any
 * more. Safe to repeat, also at the same moment: the provider makes one for each key. What is linked to an account that was deleted meanwhile, the follower
 * `forgottenCustomers` forgets.
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
  // Who gave no name is not called User on a card.
  const name = account.name === DEFAULT_NAME ? '' : account.name;
  // A key stands for its parameters, too.
  const key = derivedId(userId, 'customer', mode, linked ?? '', email, name);
  const { customerId } = await payments.makeCustomer({ userId, email, name, key });
  await handle(ctx, billingDecider, stream, { type: 'LinkCustomer', userId, customerId, mode, at: ctx.now() });
  return customerId;
}
