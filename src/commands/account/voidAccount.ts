import { emailDecider, hasWanted } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { dropMails } from '../mail/eraseHistory.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * Permanently removes an account that did not get its address. The refusal is first written to the address's own
 * stream: from then on the account can never claim it, and read models learn that the account, whose stream is deleted,
 * has ended. Returns false, and removes nothing, if the account has claimed its address in the meantime.
 */
export async function voidAccount(
  ctx: CommandContext,
  account: { readonly userId: string; readonly email: string },
): Promise<boolean> {
  const { userId, email } = account;
  const { state } = await handle(ctx, emailDecider, emailStreamOf(email), {
    type: 'RefuseEmail',
    userId,
    at: ctx.now(),
  });
  if (hasWanted(state, userId)) return false;
  await dropMails(ctx, { stream: accountStream(userId), userId });
  await ctx.store.delete(accountStream(userId));
  return true;
}
