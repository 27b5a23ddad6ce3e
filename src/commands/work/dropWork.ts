import { DomainError } from '../../domain/decider.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { dropPending, type PendingItem } from './giveUpWork.ts';

/**
 * Abandons a work item by writing the event with which its kind gives up.
 * @throws DomainError NO_SUCH_WORK; WORK_ALREADY_OVER; or why its subject cannot be ended
 */
export async function dropWork(ctx: CommandContext, item: PendingItem): Promise<{ readonly position: Position }> {
  const { events, position } = await dropPending(ctx, item);
  if (events.length === 0)
    throw new DomainError(
      'WORK_ALREADY_OVER',
      `By its stream ${item.kind} ${item.itemId} is over: its list is behind, or needs npm run rebuild.`,
    );
  return { position };
}
