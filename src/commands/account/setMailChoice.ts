import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream, type MailChoice } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { type MailKind, mailStream } from '../../domain/mail/events.ts';
import { mailDecider } from '../../domain/mail/mail.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';

/** `unwanted`: everything that is turned off by now. @throws DomainError ACCOUNT_NOT_FOUND */
export async function setMailChoice(
  ctx: CommandContext,
  input: { readonly userId: string; readonly mail: MailChoice; readonly wanted: boolean },
): Promise<{ readonly unwanted: readonly MailChoice[]; readonly position: Position }> {
  const { userId, mail, wanted } = input;
  const { state, position } = await handle(ctx, accountDecider, accountStream(userId), {
    type: 'SetMailChoice',
    mail,
    wanted,
    at: ctx.now(),
  });
  return { unwanted: state.status === 'active' ? state.unwantedMails : [], position };
}

const CHOICES: readonly (MailChoice | MailKind)[] = [
  'job_done',
  'subscription_ends',
  'sequence',
] satisfies readonly MailChoice[];
const isChoice = (kind: MailKind | null): kind is MailChoice & MailKind => kind !== null && CHOICES.includes(kind);

type Unsubscribed = { readonly userId: string; readonly mail: MailChoice; readonly position: Position };

/**
 * Uses the link in an email, without logging in; an invalid link changes nothing.
 * @throws DomainError UNSUBSCRIBE_INVALID
 */
export async function unsubscribe(ctx: CommandContext, input: { readonly token: string }): Promise<Unsubscribed> {
  const mailId = idInToken(input.token);
  const { state } = await loadState(ctx.store, mailDecider, mailStream(mailId ?? 'none'));
  if (!state.unsubscribeHashes.includes(hashToken(input.token)) || state.userId === null || !isChoice(state.kind))
    throw unsubscribeInvalid();
  const { userId, kind: mail } = state;
  const { position } = await setMailChoice(ctx, { userId, mail, wanted: false }).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'ACCOUNT_NOT_FOUND' ? unsubscribeInvalid() : error;
  });
  return { userId, mail, position };
}

const unsubscribeInvalid = (): DomainError =>
  new DomainError(
    'UNSUBSCRIBE_INVALID',
    'This link is not complete, or the account is gone. Mails can be turned off on the account page too.',
  );
