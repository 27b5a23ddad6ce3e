import { accountStream } from '../domain/account/account.ts';
import { emailDecider } from '../domain/account/email.ts';
import { type Position, START } from '../eventStore/eventStore.ts';
import { ACCOUNT_PARTS, type ListOwned } from './accountParts.ts';
import type { CommandContext } from './context.ts';
import { derivedId } from './derivedId.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { handle } from './handle.ts';
import { keepLastOnly } from './keepLastOnly.ts';

/**
 * Everything of a deleted account, for good: its parts first, then its address is set free, and its own stream, which knows the address,
 * comes last. Safe to repeat from any point. `owned` must have caught up with the deletion.
 */
export async function eraseAccount(
  ctx: CommandContext,
  input: { readonly userId: string; readonly owned: ListOwned },
): Promise<{ readonly position: Position }> {
  const { userId, owned } = input;
  let last: Position = START;
  for (const part of ACCOUNT_PARTS) {
    const position = await part.erase({ ...ctx, commandId: derivedId(ctx.commandId, part.name) }, userId, owned);
    if (position > last) last = position;
  }
  for (const email of await addressesOf(ctx, userId)) {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ReleaseEmail', userId, at: ctx.now() });
  }
  await keepLastOnly(ctx.store, accountStream(userId));
  return { position: last };
}

/** Every address the account ever had, so that also one that a crash left claimed is set free. */
async function addressesOf(ctx: CommandContext, userId: string): Promise<readonly string[]> {
  const read = await ctx.store.read(accountStream(userId));
  if (read.status !== 'found') return [];
  const texts = read.events.flatMap((event) => Object.entries(event.data));
  return [...new Set(texts.flatMap(([field, value]) => (/email/i.test(field) && typeof value === 'string' ? [value] : [])))];
}
