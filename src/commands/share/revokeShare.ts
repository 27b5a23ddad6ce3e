import { DomainError } from '../../domain/decider.ts';
import { shareDecider } from '../../domain/share/decide.ts';
import { sharesStream } from '../../domain/share/events.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** Closes the link permanently. Idempotent. @throws DomainError SHARE_NOT_FOUND */
export async function revokeShare(
  ctx: CommandContext,
  input: { readonly jobId: string; readonly shareId: string },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, shareDecider, sharesStream(input.jobId), {
    type: 'RevokeShare',
    ...input,
    at: ctx.now(),
  }).catch((error: unknown) => {
    throw error instanceof StreamDeleted ? new DomainError('SHARE_NOT_FOUND', 'There is no such link.') : error;
  });
  return { position };
}
