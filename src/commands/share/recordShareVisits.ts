import { type ShareVisitEvent, shareVisitsStream } from '../../domain/share/events.ts';
import { StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';

/**
 * No decision depends on it, so it is written without reading the stream. Visits of a link deleted meanwhile are not
 * counted.
 */
export async function recordShareVisits(
  ctx: CommandContext,
  input: {
    readonly type: ShareVisitEvent['type'];
    readonly jobId: string;
    readonly shareId: string;
    readonly count: number;
  },
): Promise<void> {
  const { type, ...visits } = input;
  const event: ShareVisitEvent = { type, data: { ...visits, until: ctx.now() } };
  await ctx.store
    .append(shareVisitsStream(input.jobId), [envelope(ctx, derivedId(ctx.commandId, type, input.shareId), event)], {
      expected: 'any',
    })
    .catch((error: unknown) => {
      if (!(error instanceof StreamDeleted)) throw error;
    });
}
