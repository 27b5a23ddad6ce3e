import { parkedDecider, parkedStream } from '../../domain/work/parked.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** The projector shall apply to a parked document what it missed. For a document that is parked: of others the event says nothing. */
export async function retryParked(
  ctx: CommandContext,
  input: { readonly model: string; readonly documentId: string },
): Promise<{ readonly position: Position }> {
  const { model, documentId } = input;
  return handle(ctx, parkedDecider, parkedStream(model), { type: 'AskParkedRetry', model, documentId, at: ctx.now() });
}
