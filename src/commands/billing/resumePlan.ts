import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { billingNoteId, readBillingNotes, writeBillingNote } from './billingNotes.ts';

/**
 * An admin gives a plan on hold its rights back, for a reason. A repeat with the same command id changes nothing.
 * @throws DomainError NOT_SUSPENDED, REASON_MISSING
 */
export async function resumePlan(
  ctx: CommandContext,
  { userId, reason }: { readonly userId: string; readonly reason: string },
): Promise<{ readonly position: Position }> {
  const stream = billingStream(userId);
  const { state, position } = await loadState(ctx.store, billingDecider, stream);
  if (!state.subscriptions.some(({ suspendedFor }) => suspendedFor.length > 0)) {
    const isRepeated = Object.hasOwn(await readBillingNotes(ctx.store, userId), billingNoteId(ctx, userId));
    if (isRepeated) return { position };
    throw new DomainError('NOT_SUSPENDED', 'This user has no plan on hold.');
  }
  const noteId = await writeBillingNote(ctx, { userId, text: reason });
  return handle(ctx, billingDecider, stream, { type: 'ResumeSubscription', userId, noteId, at: ctx.now() });
}
