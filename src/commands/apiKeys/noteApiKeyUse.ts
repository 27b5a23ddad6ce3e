import { type ApiKeyUseEvent, apiKeyUseStream } from '../../domain/apiKeys/events.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';

/** Only the last use matters, so earlier events are erased. The caller ensures that this runs at most once an hour. */
export async function noteApiKeyUse(ctx: CommandContext, input: { readonly keyId: string }): Promise<void> {
  const event: ApiKeyUseEvent = { type: 'ApiKeyUsed', data: { keyId: input.keyId, usedAt: ctx.now() } };
  const stream = apiKeyUseStream(input.keyId);
  const { revision } = await ctx.store.append(stream, [envelope(ctx, derivedId(ctx.commandId, stream), event)], {
    expected: 'any',
  });
  await ctx.store.truncate(stream, revision);
}
