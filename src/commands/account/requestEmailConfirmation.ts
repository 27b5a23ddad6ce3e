import type { AccountState } from '../../domain/account/account.ts';
import { type AccountCommand, accountDecider } from '../../domain/account/decide.ts';
import { emailDecider, emailTaken } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken } from '../tokens.ts';
import { emailStreamOf } from './emailStreamOf.ts';

/** `sentTo`: null when there is nothing to confirm. */
export type ConfirmationAsked = { readonly sentTo: string | null; readonly position: Position };

/**
 * Requests the email with the link: to `email`, the address the account moves to once the link is used, or again to the
 * last destination. The password was checked before. The address's own stream counts the request first, since it limits
 * what all accounts together send there; after a crash in between, one email less may be sent that day.
 * @throws DomainError EMAIL_TAKEN when another account has proven that address; TOO_MANY_CONFIRMATIONS,
 *   ACCOUNT_NOT_FOUND
 */
export async function requestEmailConfirmation(
  ctx: CommandContext,
  input: { readonly userId: string; readonly email: string | null },
): Promise<ConfirmationAsked> {
  const { userId } = input;
  const email = input.email === null ? null : normaliseEmail(input.email);
  if (email !== null) await refuseProven(ctx, { userId, email });
  const stream = accountStream(userId);
  const requestId = derivedId(ctx.commandId, 'confirmation', email ?? 'again');
  const request = { type: 'RequestEmailConfirmation', requestId, email, at: ctx.now() } as const;
  const before = await loadState(ctx.store, accountDecider, stream);
  const to = destinationIn(before.state, requestId) ?? destinationOf(before.state, request);
  if (to === null) return { sentTo: null, position: before.position };
  await handle(ctx, emailDecider, emailStreamOf(to), { type: 'RequestConfirmation', userId, requestId, at: ctx.now() });
  // To the address that was counted, even if the account has requested another one meanwhile.
  const { state, position } = await handle(ctx, accountDecider, stream, { ...request, email: to });
  return { sentTo: destinationIn(state, requestId), position };
}

/** Where the request's email goes; null if it was not recorded. */
function destinationIn(account: AccountState, requestId: string): string | null {
  const request =
    account.status === 'active' ? account.confirmations.find((one) => one.requestId === requestId) : undefined;
  return request?.email ?? null;
}

/** Where it would go; null when there is nothing to confirm. @throws DomainError */
function destinationOf(
  account: AccountState,
  request: Extract<AccountCommand, { readonly type: 'RequestEmailConfirmation' }>,
): string | null {
  const [asked] = eventsOf(accountDecider.decide(request, account), 'AccountEmailConfirmationAsked');
  return asked?.data.email ?? null;
}

/** The account could not move to it: the account that has proven it keeps it. */
async function refuseProven(
  ctx: CommandContext,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  const { state } = await loadState(ctx.store, emailDecider, emailStreamOf(email));
  if (state.userId !== null && state.userId !== userId && state.proven) throw emailTaken();
}

/**
 * The token for a request's link; null when the request is no longer valid. If called again, both tokens are valid,
 * since either email may have arrived.
 */
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
