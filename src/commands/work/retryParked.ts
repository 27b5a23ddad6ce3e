import { parkedStream } from '../../domain/work/events.ts';
import { parkedDecider } from '../../domain/work/parked.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Requests the projector to apply missed events to a parked document. The event has no effect on documents that are not
 * parked.
 */
export async function retryParked(
  ctx: CommandContext,
  input: { readonly model: string; readonly documentId: string },
): Promise<{ readonly position: Position }> {
  const { model, documentId } = input;
  return handle(ctx, parkedDecider, parkedStream(model), { type: 'AskParkedRetry', model, documentId, at: ctx.now() });
}
