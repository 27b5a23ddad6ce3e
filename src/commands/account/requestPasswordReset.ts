import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/** Requests a reset email if an account has the address. Returns nothing, so as not to reveal whether one does. */
export async function requestPasswordReset(ctx: CommandContext, input: { readonly email: string }): Promise<void> {
  const { state: claim } = await loadState(ctx.store, emailDecider, emailStreamOf(input.email));
  if (claim.userId === null) return;
  const stream = accountStream(claim.userId);
  const { state } = await loadState(ctx.store, accountDecider, stream);
  if (state.status !== 'active') return;
  const requestId = derivedId(ctx.commandId, 'reset', claim.userId);
  await handle(ctx, accountDecider, stream, { type: 'RequestPasswordReset', requestId, at: ctx.now() });
}
