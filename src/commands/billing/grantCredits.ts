import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { writeBillingNote } from './billingNotes.ts';

export type GrantCredits = { readonly userId: string; readonly credits: number; readonly reason: string };

/**
 * Full audits free of charge. A repeat with the same command id grants nothing more.
 * @throws DomainError ACCOUNT_NOT_FOUND, CREDITS_INVALID, REASON_MISSING
 */
export async function grantCredits(
  ctx: CommandContext,
  input: GrantCredits,
): Promise<{ readonly credits: number; readonly position: Position }> {
  const { userId, credits, reason } = input;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const grantId = derivedId(ctx.commandId, userId, 'grant');
  const noteId = await writeBillingNote(ctx, { userId, text: reason });
  const { state, position } = await handle(ctx, billingDecider, billingStream(userId), {
    type: 'GrantCredits',
    userId,
    grantId,
    credits,
    noteId,
    at: ctx.now(),
  });
  return { credits: state.credits, position };
}
