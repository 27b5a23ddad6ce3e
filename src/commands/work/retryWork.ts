import { workDecider, workStream } from '../../domain/work/followUp.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** An item of work is due at once, and its earlier tries count no more. For an item that is pending: of others the event says nothing. */
export async function retryWork(ctx: CommandContext, input: { readonly kind: string; readonly itemId: string }): Promise<{ readonly position: Position }> {
  const { kind, itemId } = input;
  return handle(ctx, workDecider, workStream(kind, itemId), { type: 'AskRetry', kind, itemId, at: ctx.now() });
}
