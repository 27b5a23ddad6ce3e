/** One mail for one event, once: its stream remembers, and its id stays the same when it has to be sent again. */
import { handle, loadState } from '../../commands/handle.ts';
import { kindOf, mailIdOf } from '../../commands/mailOf.ts';
import { hashToken } from '../../commands/tokens.ts';
import type { MailDropReason } from '../../domain/mail/events.ts';
import { type MailCommand, mailDecider, mailStream } from '../../domain/mail/mail.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Mailer, MailRefused } from '../../integrations/mailer/mailer.ts';
import { type ComposeDeps, composeMail } from './composeMail.ts';
import { renderMail } from './layout.ts';

export type DeliverDeps = ComposeDeps & {
  /** Null: this installation sends no mail. */
  readonly mailer: Mailer | null;
  /** UTC ISO. */
  readonly now: () => string;
};

/** Older events lead to no mail: after an outage of days, or when mails come to an installation that has run without. */
export const FRESH_MS = 24 * 60 * 60 * 1_000;

/** `waits`: whether it leads to a mail depends on what has not happened yet. */
export type Outcome = 'sent' | 'dropped' | 'done_before' | 'no_mail' | 'waits';

/**
 * Sends the event's mail, or finds that it was sent or is not wanted. After a crash between the server's answer and its record the same mail
 * goes out again under the same message id. @throws what the mailer throws when it should be tried again
 */
export async function deliverMail(deps: DeliverDeps, event: RecordedEvent): Promise<Outcome> {
  const kind = kindOf(event);
  if (kind === undefined || Date.parse(deps.now()) - Date.parse(event.metadata.at) > FRESH_MS) return 'no_mail';
  const mailId = mailIdOf(event);
  const { store } = deps.context();
  if ((await loadState(store, mailDecider, mailStream(mailId))).state.status === 'settled') return 'done_before';
  const draft = await composeMail(deps, event);
  if (!draft) return 'no_mail';
  if (draft === 'waits') return draft;
  const facts = { mailId, userId: draft.userId, kind, at: deps.now() };
  const record = async (command: MailCommand): Promise<void> => void (await handle(deps.context(), mailDecider, mailStream(mailId), command));
  const drop = async (reason: MailDropReason): Promise<'dropped'> => {
    await record({ type: 'DropMail', ...facts, reason });
    return 'dropped';
  };
  if ('drop' in draft) return drop(draft.drop);
  if (!deps.mailer) return drop('no_mailer');

  const token = draft.canTurnOff ? `${mailId}.${deps.newToken()}` : null;
  const unsubscribeUrl = `${deps.appUrl}/unsubscribe?token=${token}`;
  const content = draft.write(unsubscribeUrl);
  await record({ type: 'PrepareMail', ...facts, unsubscribeHash: token === null ? null : hashToken(token) });
  try {
    await deps.mailer.send({
      userId: draft.userId,
      to: draft.to,
      subject: content.subject,
      ...renderMail(content),
      headers: token === null ? {} : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      messageId: `${mailId}@${new URL(deps.appUrl).hostname.replaceAll(/[[\]]/g, '')}`,
    });
  } catch (error) {
    if (error instanceof MailRefused) return drop('refused');
    throw error;
  }
  await record({ type: 'MarkMailSent', ...facts, at: deps.now() });
  return 'sent';
}
