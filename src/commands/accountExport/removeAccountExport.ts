import { accountExportDecider } from '../../domain/accountExport/accountExport.ts';
import { exportFileStream, exportsStream } from '../../domain/accountExport/events.ts';
import { type Position, START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';

/**
 * Removes the file of an export that has expired. A file that a crash leaves behind is removed by the truncation
 * follower. Safe to repeat.
 */
export async function expireAccountExport(
  ctx: CommandContext,
  { userId, ask }: { readonly userId: string; readonly ask: number },
): Promise<Position> {
  const context = { ...ctx, commandId: derivedId(ctx.commandId, 'expire export', userId) };
  const { events, position } = await handle(context, accountExportDecider, exportsStream(userId), {
    type: 'ExpireExport',
    ask,
    at: ctx.now(),
  });
  for (const { data } of events) await ctx.store.delete(exportFileStream(data.fileId));
  return position;
}

/**
 * Of a deleted account: ends the export that is pending, and erases the file and the history of exports. Safe to
 * repeat.
 */
export async function closeAccountExports(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = exportsStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { state, position } = await handle(ctx, accountExportDecider, stream, { type: 'CloseExports', at: ctx.now() });
  if (state.status !== 'none') await ctx.store.delete(exportFileStream(state.fileId));
  await keepLastOnly(ctx.store, stream);
  return position;
}
