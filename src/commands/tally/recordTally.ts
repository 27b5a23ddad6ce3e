import { type TallyEvent, tallyStream } from '../../domain/tally/events.ts';
import { StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';

/**
 * No decision depends on it, so it is written without reading the stream. What was counted of an account deleted
 * meanwhile is dropped. A repeat with the same command id writes nothing more.
 */
export async function recordTally(ctx: CommandContext, event: TallyEvent): Promise<void> {
  const stream = tallyStream(event);
  await ctx.store
    .append(stream, [envelope(ctx, derivedId(ctx.commandId, stream), event)], { expected: 'any' })
    .catch((error: unknown) => {
      if (!(error instanceof StreamDeleted)) throw error;
    });
}
