/**
 * Everything about an account written into a file, once per request: a part at a time, so that its size does not
 * matter.
 */

import { inPieces, writeExportPart } from '../commands/accountExport/exportFile.ts';
import type { Cause, CommandContext, ContextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { handleOnce } from '../commands/handleOnce.ts';
import { accountExportDecider } from '../domain/accountExport/accountExport.ts';
import { exportsStream } from '../domain/accountExport/events.ts';
import type { Position } from '../eventStore/eventStore.ts';

export type AccountExportDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  /** The content, read as it is taken. Calls `onJob` after each of the account's jobs, of which there are `total`. */
  readonly contentOf: (userId: string, onJob: (done: number, total: number) => void) => AsyncIterable<string>;
};

/** An export and the event that made it pending. */
export type PendingExport = { readonly userId: string; readonly cause: Cause };

/** `ended`: by any worker, with an event at or before this position. `not_now`: another worker holds it. */
export type ExportOutcome =
  | { readonly outcome: 'ended'; readonly position: Position }
  | { readonly outcome: 'not_now' };

/** Percent: progress is recorded in steps of this size. */
const PROGRESS_STEP = 5;

/**
 * Checks `held` before recording the attempt. Each attempt writes the whole file again.
 * @throws when it should be retried
 */
export async function performAccountExport(
  deps: AccountExportDeps,
  { userId, cause }: PendingExport,
  held: () => boolean,
  signal: AbortSignal,
): Promise<ExportOutcome> {
  const context = (): CommandContext => deps.context(cause);
  const stream = exportsStream(userId);
  const loaded = await loadState(context().store, accountExportDecider, stream);
  if (loaded.state.status !== 'pending') return { outcome: 'ended', position: loaded.position };
  if (!held()) throw new Error('Another worker may have the export by now.');
  const started = await handleOnce(
    context(),
    accountExportDecider,
    stream,
    { type: 'StartExport', at: deps.now() },
    loaded,
  );
  if (started?.state.status !== 'pending') return { outcome: 'not_now' };
  const { fileId, attempt } = started.state;

  let percent = 0;
  let [parts, bytes] = [0, 0];
  const content = deps.contentOf(userId, (done, total) => {
    percent = Math.floor((100 * done) / Math.max(1, total));
  });
  let recorded = 0;
  for await (const piece of inPieces(content)) {
    signal.throwIfAborted();
    await writeExportPart(context(), { userId, fileId, attempt }, parts, piece);
    parts += 1;
    bytes += Buffer.byteLength(piece);
    if (percent < recorded + PROGRESS_STEP) continue;
    recorded = percent;
    const { state } = await handle(context(), accountExportDecider, stream, {
      type: 'NoteExportProgress',
      attempt,
      percent,
      at: deps.now(),
    });
    if (state.status !== 'pending' || state.attempt !== attempt)
      throw new Error('Another attempt has replaced this one, or it is no longer wanted.');
  }
  signal.throwIfAborted();
  const { state, position } = await handle(context(), accountExportDecider, stream, {
    type: 'FinishExport',
    attempt,
    parts,
    bytes,
    at: deps.now(),
  });
  return state.status === 'pending' ? { outcome: 'not_now' } : { outcome: 'ended', position };
}
