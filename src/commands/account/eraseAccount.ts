import { accountStream } from '../../domain/account/account.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';
import { ACCOUNT_PARTS, type ErasureScope } from './accountParts.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * Everything of a deleted account, for good: its parts first, then its address is set free, and its own stream, which knows the address,
 * comes last. Safe to repeat from any point.
 */
export async function eraseAccount(ctx: CommandContext, input: ErasureScope & { readonly userId: string }): Promise<{ readonly position: Position }> {
  const { userId, ...scope } = input;
  let last: Position = START;
  for (const part of ACCOUNT_PARTS) {
    const position = await part.erase({ ...ctx, commandId: derivedId(ctx.commandId, part.name) }, userId, scope);
    if (position > last) last = position;
  }
  for (const email of await addressesOf(ctx, userId)) {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ReleaseEmail', userId, at: ctx.now() });
  }
  await eraseHistory({ ...ctx, commandId: derivedId(ctx.commandId, 'account') }, { stream: accountStream(userId), userId });
  return { position: last };
}

/** Whether nothing of a deleted account is left: its own stream is let go last, down to the fact itself. `deleted` is its `AccountDeleted`. */
export async function isAccountErased(store: EventStore, deleted: RecordedEvent): Promise<boolean> {
  const read = await store.read(deleted.stream, { limit: 1 });
  return read.status !== 'found' || read.events[0]?.id === deleted.id;
}

/** Every address the account ever had, so that also one that a crash left claimed is set free. */
async function addressesOf(ctx: CommandContext, userId: string): Promise<readonly string[]> {
  const read = await ctx.store.read(accountStream(userId));
  if (read.status !== 'found') return [];
  const texts = read.events.flatMap((event) => Object.entries(event.data));
  return [...new Set(texts.flatMap(([field, value]) => (/email/i.test(field) && typeof value === 'string' ? [value] : [])))];
}
