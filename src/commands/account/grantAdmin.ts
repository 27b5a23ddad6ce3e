import { type AdminReason, accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** @throws DomainError ACCOUNT_NOT_FOUND */
export async function grantAdmin(
  ctx: CommandContext,
  input: { readonly userId: string; readonly reason: AdminReason; readonly provider?: string },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, accountDecider, accountStream(input.userId), {
    type: 'GrantAdmin',
    reason: input.reason,
    ...(input.provider ? { provider: input.provider } : {}),
  });
  return { position };
}
