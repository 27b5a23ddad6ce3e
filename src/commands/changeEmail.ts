import { accountStream, normaliseEmail } from '../domain/account/account.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import { DomainError } from '../domain/decider.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { emailStreamOf } from './emailStreamOf.ts';
import { handle } from './handle.ts';

/**
 * Three streams, in this order: the account says which address it wants, the claim of that address, the account's change (the commit
 * point), the release of the former one. A crash in between is made good by a repeat, or by `reconcileEmailChanges`. The password was checked before.
 * @throws DomainError EMAIL_TAKEN, ACCOUNT_NOT_FOUND, EMAIL_CHANGE_SUPERSEDED
 */
export async function changeEmail(ctx: CommandContext, input: { readonly userId: string; readonly email: string }): Promise<{ readonly position: Position }> {
  const email = normaliseEmail(input.email);
  await handle(ctx, accountDecider, accountStream(input.userId), { type: 'AskEmailChange', email, at: ctx.now() });
  return finishEmailChange(ctx, { userId: input.userId, email });
}

/** From the claim on. Safe to repeat. */
export async function finishEmailChange(
  ctx: CommandContext,
  input: { readonly userId: string; readonly email: string },
): Promise<{ readonly position: Position }> {
  const { userId, email } = input;
  const stream = accountStream(userId);
  try {
    await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ClaimEmail', userId, at: ctx.now() });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await handle(ctx, accountDecider, stream, { type: 'RefuseEmailChange', email, at: ctx.now() });
    throw error;
  }
  const { position, events } = await handle(ctx, accountDecider, stream, { type: 'ChangeEmail', email, at: ctx.now() });
  for (const event of events) if (event.type === 'AccountEmailChanged') await releaseEmail(ctx, { userId, email: event.data.formerEmail });
  return { position };
}

/** Lets go of an address that is not the account's any more. */
export async function releaseEmail(ctx: CommandContext, { userId, email }: { readonly userId: string; readonly email: string }): Promise<void> {
  await handle(ctx, emailDecider, emailStreamOf(email), { type: 'ReleaseEmail', userId, at: ctx.now() });
}
