import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { tokenPair } from '../tokens.ts';

/**
 * The token pair for a request's link; null when the request is no longer valid. If called again, both pairs are valid,
 * since either email may have arrived.
 */
export async function issuePasswordReset(
  ctx: CommandContext,
  input: { readonly userId: string; readonly requestId: string; readonly newToken: () => string },
): Promise<{ readonly accessToken: string; readonly refreshToken: string } | null> {
  const { userId, requestId } = input;
  const { accessToken, refreshToken, ...hashes } = tokenPair(userId, input.newToken);
  const { events } = await handle(ctx, accountDecider, accountStream(userId), {
    type: 'IssuePasswordReset',
    requestId,
    at: ctx.now(),
    ...hashes,
  });
  return events.length === 0 ? null : { accessToken, refreshToken };
}
