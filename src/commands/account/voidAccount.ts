import { accountStream } from '../../domain/account/account.ts';
import { emailDecider, hasWanted } from '../../domain/account/email.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { dropMails } from '../mail/eraseHistory.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * Removes an account that does not have its address, for good. The refusal is written first, to the address's own stream: from then on
 * the account can never claim it, and read models learn of the end of an account whose stream is gone.
 * Returns false, and removes nothing, when the account got as far as its address in the meantime.
 */
export async function voidAccount(ctx: CommandContext, account: { readonly userId: string; readonly email: string }): Promise<boolean> {
  const { userId, email } = account;
  const { state } = await handle(ctx, emailDecider, emailStreamOf(email), { type: 'RefuseEmail', userId, at: ctx.now() });
  if (hasWanted(state, userId)) return false;
  await dropMails(ctx, { stream: accountStream(userId), userId });
  await ctx.store.delete(accountStream(userId));
  return true;
}
