import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider } from '../../domain/logIn/logIn.ts';
import { type Position, START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';
import { unlinkIdentity } from './identities.ts';

/** With the account: its identities are free for others, and nothing can be added any more. Safe to repeat. */
export async function closeLogIn(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = logInStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { state } = await loadState(ctx.store, logInDecider, stream);
  for (const identityId of Object.keys(state.identities))
    await unlinkIdentity(ctx, { userId, identityId, reason: 'owner', hasOtherWay: true });
  const { position } = await handle(ctx, logInDecider, stream, { type: 'CloseLogIn', userId, at: ctx.now() });
  await eraseHistory(ctx, { stream, userId });
  return position;
}
