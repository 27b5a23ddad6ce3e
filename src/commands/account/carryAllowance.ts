import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import { carriedOver, periodOf, usedOf } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * Sign-up step after the address is claimed: charges the new account with what deleted accounts with the same address
 * used of this month's free allowance. Derived from the log alone, so that a retry gets the same result. Safe to
 * repeat.
 */
export async function carryAllowance(
  ctx: CommandContext,
  { userId, stream }: { readonly userId: string; readonly stream: string },
): Promise<void> {
  const { state: claim } = await loadState(ctx.store, emailDecider, stream);
  const before = claim.wanted.slice(
    0,
    claim.wanted.findIndex((one) => one.userId === userId),
  );
  if (before.length === 0) return;
  const { events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const registered = events.find((event) => isOf(event, 'AccountRegistered'));
  // An account that moved to the address already has its own allowance.
  if (!registered || emailStreamOf(registered.data.email) !== stream) return;
  const { registeredAt } = registered.data;
  const period = periodOf(registeredAt);
  let used = 0;
  for (const former of before) {
    if (!(await wasDeletedBy(ctx, former.userId, registeredAt))) continue;
    const { state: bill } = await loadState(ctx.store, billingDecider, billingStream(former.userId));
    // What it had carried over itself is already counted with the accounts it came from.
    used += usedOf(bill, period, 'free_allowance') - carriedOver(bill, period);
  }
  if (used > 0)
    await handle(ctx, billingDecider, billingStream(userId), {
      type: 'CarryAllowanceOver',
      userId,
      period,
      used,
      at: ctx.now(),
    });
}

async function wasDeletedBy(ctx: CommandContext, userId: string, at: string): Promise<boolean> {
  const { events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const deleted = events.find((event) => isOf(event, 'AccountDeleted'));
  return deleted !== undefined && deleted.data.deletedAt <= at;
}
