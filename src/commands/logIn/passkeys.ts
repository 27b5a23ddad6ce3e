/** The passkeys of an account. What an authenticator says is verified by the caller. */
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider, type Passkey, type RemovalOfWay } from '../../domain/logIn/logIn.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

type Written = Promise<{ readonly position: Position }>;
type Named = { readonly userId: string; readonly passkeyId: string };

/** In the order in which they were added. */
export async function passkeysOf(
  { store }: Pick<CommandContext, 'store'>,
  userId: string,
): Promise<readonly Passkey[]> {
  return Object.values((await loadState(store, logInDecider, logInStream(userId))).state.passkeys);
}

/** @throws DomainError PASSKEY_EXISTS, TOO_MANY_PASSKEYS */
export async function addPasskey(
  ctx: CommandContext,
  { userId, ...made }: Omit<Passkey, 'passkeyId' | 'addedAt' | 'lastUsedAt'> & { readonly userId: string },
): Promise<Passkey> {
  const passkeyId = derivedId(ctx.commandId, 'passkey', userId);
  const addedAt = ctx.now();
  const command = { type: 'AddPasskey', userId, passkeyId, ...made, at: addedAt } as const;
  await handle(ctx, logInDecider, logInStream(userId), command);
  return { passkeyId, ...made, addedAt, lastUsedAt: null };
}

/**
 * `challengedAt`: when the verified answer was asked for. @throws DomainError PASSKEY_INVALID if it was used before, or
 * the counter went back
 */
export async function notePasskeyUse(
  ctx: CommandContext,
  input: Named & { readonly counter: number; readonly challengedAt: string },
): Promise<void> {
  await handle(ctx, logInDecider, logInStream(input.userId), { type: 'UsePasskey', ...input, at: ctx.now() });
}

/** @throws DomainError PASSKEY_NOT_FOUND */
export async function renamePasskey(ctx: CommandContext, input: Named & { readonly name: string }): Promise<void> {
  await handle(ctx, logInDecider, logInStream(input.userId), { type: 'RenamePasskey', ...input, at: ctx.now() });
}

/** `hasOtherWay`: a password, or emails with codes. @throws DomainError PASSKEY_NOT_FOUND, LAST_WAY_IN */
export async function removePasskey(
  ctx: CommandContext,
  input: Named & {
    readonly reason: RemovalOfWay;
    readonly hasOtherWay: boolean;
  },
): Written {
  const command = { type: 'RemovePasskey', ...input, at: ctx.now() } as const;
  const { position } = await handle(ctx, logInDecider, logInStream(input.userId), command);
  return { position };
}
