import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
} from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { deleteJobs } from '../job/deleteJobs.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';
import { ACCOUNT_PARTS, type ErasureScope, endAccess } from './accountParts.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/**
 * Permanently erases a deleted account: first its parts, then it releases the address, and last its own stream, which
 * contains the address. Safe to repeat from any point.
 */
export async function eraseAccount(
  ctx: CommandContext,
  input: ErasureScope & { readonly userId: string },
): Promise<{ readonly position: Position }> {
  const { userId, ...scope } = input;
  let last: Position = START;
  for (const part of ACCOUNT_PARTS) {
    const position = await part.erase({ ...ctx, commandId: derivedId(ctx.commandId, part.name) }, userId, scope);
    if (position > last) last = position;
  }
  for (const email of await addressesOf(ctx, userId)) {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ReleaseEmail', userId, at: ctx.now() });
  }
  await eraseHistory(
    { ...ctx, commandId: derivedId(ctx.commandId, 'account') },
    { stream: accountStream(userId), userId },
  );
  return { position: last };
}

/**
 * What cannot wait for the erasure of a deleted account: access ends, and the read models drop its jobs and everything
 * shown of them. The cost does not grow with the account's activity. Safe to repeat. `owned`, its sessions and jobs,
 * must have processed the deletion.
 */
export async function closeAccount(
  ctx: CommandContext,
  { userId, owned }: ErasureScope & { readonly userId: string },
): Promise<{ readonly position: Position }> {
  const jobIds: string[] = [];
  for await (const jobId of owned('jobs', userId)) jobIds.push(jobId);
  const positions = [await endAccess(ctx, userId, owned), (await deleteJobs(ctx, { userId, jobIds })).position];
  return { position: positions.sort(comparePositions).at(-1) ?? START };
}

/**
 * Whether a deleted account is fully erased: its own stream is truncated last, down to the deletion itself. `deleted`
 * is its `AccountDeleted`.
 */
export async function isAccountErased(store: EventStore, deleted: RecordedEvent): Promise<boolean> {
  const read = await store.read(deleted.stream, { limit: 1 });
  return read.status !== 'found' || read.events[0]?.id === deleted.id;
}

/** Every address the account ever had, so that one left claimed by a crash is released, too. */
async function addressesOf(ctx: CommandContext, userId: string): Promise<readonly string[]> {
  const read = await ctx.store.read(accountStream(userId));
  if (read.status !== 'found') return [];
  const texts = read.events.flatMap((event) => Object.entries(event.data));
  return [
    ...new Set(texts.flatMap(([field, value]) => (/email/i.test(field) && typeof value === 'string' ? [value] : []))),
  ];
}
