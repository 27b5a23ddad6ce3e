import { accountExportDecider } from '../../domain/accountExport/accountExport.ts';
import { exportFileStream, exportsStream } from '../../domain/accountExport/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';

/**
 * Requests a worker to write everything about an account into a file, which replaces the last one. While one is
 * pending, it is that one.
 * @throws DomainError ACCOUNT_NOT_FOUND
 */
export async function requestAccountExport(
  ctx: CommandContext,
  { userId }: { readonly userId: string },
): Promise<{ readonly ask: number; readonly position: Position }> {
  const command = {
    type: 'RequestExport',
    userId,
    fileId: derivedId(ctx.commandId, 'export file'),
    at: ctx.now(),
  } as const;
  const { events, state, position } = await handle(ctx, accountExportDecider, exportsStream(userId), command);
  for (const { type, data } of events)
    if (type === 'AccountExportRemoved') await ctx.store.delete(exportFileStream(data.fileId));
  if (state.status === 'none') throw new Error(`An export of ${userId} was requested and there is none.`);
  return { ask: state.ask, position };
}
