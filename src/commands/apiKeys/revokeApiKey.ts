import { apiKeysDecider } from '../../domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../domain/apiKeys/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** @throws DomainError API_KEY_NOT_FOUND, also when the key belongs to another user */
export async function revokeApiKey(
  ctx: CommandContext,
  input: { readonly userId: string; readonly keyId: string },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, apiKeysDecider, apiKeysStream(input.userId), {
    type: 'RevokeApiKey',
    ...input,
    at: ctx.now(),
  });
  return { position };
}
