import { accountStream, normaliseEmail } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, emailTaken } from '../../domain/account/email.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken } from '../tokens.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/** `sentTo`: null when there is nothing to confirm. */
export type ConfirmationAsked = { readonly sentTo: string | null; readonly position: Position };

/**
 * Requests the email with the link: to `email`, the address the account moves to once the link is used, or again to the last destination. The password
 * was checked before.
 * @throws DomainError EMAIL_TAKEN when another account has proven that address; TOO_MANY_CONFIRMATIONS, ACCOUNT_NOT_FOUND
 */
export async function requestEmailConfirmation(
  ctx: CommandContext,
  input: { readonly userId: string; readonly email: string | null },
): Promise<ConfirmationAsked> {
  const { userId } = input;
  const email = input.email === null ? null : normaliseEmail(input.email);
  if (email !== null) await refuseProven(ctx, { userId, email });
  const requestId = derivedId(ctx.commandId, 'confirmation', email ?? 'again');
  const { state, position } = await handle(ctx, accountDecider, accountStream(userId), { type: 'RequestEmailConfirmation', requestId, email, at: ctx.now() });
  const request = state.status === 'active' ? state.confirmations.find((one) => one.requestId === requestId) : undefined;
  return { sentTo: request?.email ?? null, position };
}

/** The account could not move to it: the account that has proven it keeps it. */
async function refuseProven(ctx: CommandContext, { userId, email }: { readonly userId: string; readonly email: string }): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (state.userId !== null && state.userId !== userId && state.proven) throw emailTaken();
}

/** The token for a request's link; null when the request is no longer valid. If called again, both tokens are valid, since either email may have arrived. */
export async function issueEmailConfirmation(
  ctx: CommandContext,
  input: { readonly userId: string; readonly requestId: string; readonly newToken: () => string },
): Promise<string | null> {
  const { userId, requestId } = input;
  const token = `${userId}.${input.newToken()}`;
  const command = { type: 'IssueEmailConfirmation', requestId, tokenHash: hashToken(token), at: ctx.now() } as const;
  const { events } = await handle(ctx, accountDecider, accountStream(userId), command);
  return events.length === 0 ? null : token;
}
