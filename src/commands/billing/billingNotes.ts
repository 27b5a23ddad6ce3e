import { billingNotesStream } from '../../domain/billing/events.ts';
import { type BillingNotes, billingNotesDecider } from '../../domain/billing/notes.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

/** The note of a command about a user. */
export const billingNoteId = ({ commandId }: Pick<CommandContext, 'commandId'>, userId: string): string =>
  derivedId(commandId, userId, 'note');

/**
 * Written before the event that names it. A repeat with the same command id writes nothing more.
 * @throws DomainError REASON_MISSING
 */
export async function writeBillingNote(
  ctx: CommandContext,
  { userId, text }: { readonly userId: string; readonly text: string },
): Promise<string> {
  const noteId = billingNoteId(ctx, userId);
  const command = { type: 'WriteBillingNote', noteId, userId, text, at: ctx.now() } as const;
  await handle(ctx, billingNotesDecider, billingNotesStream(userId), command);
  return noteId;
}

/** Empty once the account is deleted. */
export async function readBillingNotes(store: EventStore, userId: string): Promise<BillingNotes> {
  return (await loadState(store, billingNotesDecider, billingNotesStream(userId))).state;
}
