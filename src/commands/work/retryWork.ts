import { workStream } from '../../domain/work/events.ts';
import { workDecider } from '../../domain/work/followUp.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Makes a pending work item due immediately, without counting earlier attempts. The event has no effect on items that
 * are not pending.
 */
export async function retryWork(
  ctx: CommandContext,
  input: { readonly kind: string; readonly itemId: string },
): Promise<{ readonly position: Position }> {
  const { kind, itemId } = input;
  return handle(ctx, workDecider, workStream(kind, itemId), { type: 'AskRetry', kind, itemId, at: ctx.now() });
}
