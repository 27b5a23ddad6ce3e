import { openedStream, type ReportOpenedEvent } from '../../domain/report/events.ts';
import { RevisionConflict, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';

/**
 * Once per job: no decision depends on it, so it is written without reading, and the store rejects it if it exists or
 * the job was deleted meanwhile.
 */
export async function recordReportOpened(
  ctx: CommandContext,
  { jobId, userId }: { readonly jobId: string; readonly userId: string },
): Promise<void> {
  const event: ReportOpenedEvent = { type: 'ReportOpened', data: { jobId, userId, openedAt: ctx.now() } };
  await ctx.store
    .append(openedStream(jobId), [envelope(ctx, derivedId(jobId, event.type), event)], { expected: 'no_stream' })
    .catch((error: unknown) => {
      if (!(error instanceof RevisionConflict) && !(error instanceof StreamDeleted)) throw error;
    });
}
