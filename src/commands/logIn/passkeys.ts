/** The passkeys of an account. What an authenticator says is verified by the caller. */
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider, type RemovalOfWay } from '../../domain/logIn/logIn.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

type Written = Promise<{ readonly position: Position }>;

/** `hasOtherWay`: a password, or emails with codes. @throws DomainError PASSKEY_NOT_FOUND, LAST_WAY_IN */
export async function removePasskey(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly passkeyId: string;
    readonly reason: RemovalOfWay;
    readonly hasOtherWay: boolean;
  },
): Written {
  const command = { type: 'RemovePasskey', ...input, at: ctx.now() } as const;
  const { position } = await handle(ctx, logInDecider, logInStream(input.userId), command);
  return { position };
}
