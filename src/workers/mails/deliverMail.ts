/** One email per event, exactly once: its stream records it, and its id stays the same if it has to be resent. */
import type { Cause } from '../../commands/context.ts';
import { handle, type Loaded, loadState } from '../../commands/handle.ts';
import { handleOnce } from '../../commands/handleOnce.ts';
import { mailIdOf, mailKindOf } from '../../commands/mail/mailOf.ts';
import { hashToken } from '../../commands/tokens.ts';
import { type MailDropReason, type MailKind, mailStream } from '../../domain/mail/events.ts';
import { type MailState, mailDecider } from '../../domain/mail/mail.ts';
import { causeOf } from '../../domain/mail/resend.ts';
import type { Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Mailer, MailRefused } from '../../integrations/mailer/mailer.ts';
import { composeMail } from './composeMail.ts';
import type { ComposeDeps, Draft } from './draft.ts';
import { renderMail } from './layout.ts';

export type DeliverDeps = ComposeDeps & {
  /** Null: this installation sends no email. */
  readonly mailer: Mailer | null;
  /** UTC ISO. */
  readonly now: () => string;
};

/**
 * `settled`: sent or dropped, by any process, at this position. `waits`: it depends on a future event, or another
 * process holds it.
 */
export type MailOutcome = { readonly outcome: 'settled'; readonly position: Position } | { readonly outcome: 'waits' };

type Facts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind };
/** The triggering event; its position is stored with a failure, so that the email can be resent. */
type Leading = Cause & Parameters<typeof causeOf>[0];
export type Sendable = Extract<Draft, { readonly to: string }>;

/**
 * Sends the event's email, or finds that it was sent or is not wanted; either ends its stream. After a crash between
 * the server's response and its record the same email is sent again under the same message id. Checks `held` before
 * recording the attempt.
 * @throws the mailer's error when it should be retried
 */
export async function deliverMail(deps: DeliverDeps, event: RecordedEvent, held: () => boolean): Promise<MailOutcome> {
  const [mailId, kind] = [mailIdOf(event), mailKindOf(event)];
  if (mailId === null || kind === null) throw new Error(`No mail is known for ${event.type}.`);
  const loaded = await loadState(deps.context(event).store, mailDecider, mailStream(mailId));
  if (loaded.state.status === 'settled') return { outcome: 'settled', position: loaded.position };
  const draft = await composeMail(deps, event);
  if (draft === 'waits') return { outcome: 'waits' };
  const facts = { mailId, userId: draft.userId, kind };
  if ('drop' in draft) return dropMail(deps, facts, { cause: event, reason: draft.drop });
  return sendDraft(deps, facts, draft, { cause: event, loaded, held });
}

type SendDeps = Pick<DeliverDeps, 'context' | 'now' | 'newToken' | 'appUrl' | 'mailer'>;

/** One attempt. `loaded`: the mail's stream, which is not settled. @throws as `deliverMail` */
export async function sendDraft(
  deps: SendDeps,
  facts: Facts,
  draft: Sendable,
  {
    cause,
    loaded,
    held,
  }: { readonly cause: Leading; readonly loaded: Loaded<MailState>; readonly held: () => boolean },
): Promise<MailOutcome> {
  if (!deps.mailer) return dropMail(deps, facts, { cause, reason: 'no_mailer' });
  const token = draft.canTurnOff ? `${facts.mailId}.${deps.newToken()}` : null;
  if (!held()) throw new Error('Another worker may have the mail by now.');
  const prepare = {
    type: 'PrepareMail',
    ...facts,
    unsubscribeHash: token === null ? null : hashToken(token),
    at: deps.now(),
  } as const;
  const prepared = await handleOnce(deps.context(cause), mailDecider, mailStream(facts.mailId), prepare, loaded);
  if (prepared?.state.status !== 'prepared') return { outcome: 'waits' };
  return send({ ...deps, mailer: deps.mailer }, facts, draft, { cause, token, attempt: prepared.state.attempt });
}

async function send(
  deps: SendDeps & { readonly mailer: Mailer },
  facts: Facts,
  draft: Sendable,
  { cause, token, attempt }: { readonly cause: Leading; readonly token: string | null; readonly attempt: number },
): Promise<MailOutcome> {
  const unsubscribeUrl = `${deps.appUrl}/unsubscribe?token=${token}`;
  const content = await draft.write(unsubscribeUrl);
  if (!content) return dropMail(deps, facts, { cause, reason: 'gone', attempt });
  try {
    await deps.mailer.send({
      userId: draft.userId,
      to: draft.to,
      subject: content.subject,
      ...renderMail(content),
      headers:
        token === null
          ? {}
          : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      messageId: `${facts.mailId}@${new URL(deps.appUrl).hostname.replaceAll(/[[\]]/g, '')}`,
    });
  } catch (error) {
    if (error instanceof MailRefused) return dropMail(deps, facts, { cause, reason: 'refused', attempt });
    throw error;
  }
  const sent = { type: 'MarkMailSent', ...facts, attempt, at: deps.now() } as const;
  const { position, state } = await handle(deps.context(cause), mailDecider, mailStream(facts.mailId), sent);
  return state.status === 'settled' ? { outcome: 'settled', position } : { outcome: 'waits' };
}

/** `cause`: the event that triggers the email. */
type Dropping = { readonly cause: Leading; readonly reason: MailDropReason; readonly attempt?: number };

/** Drops the email permanently; with `attempt`, unless another attempt has replaced that one. Safe to repeat. */
export async function dropMail(
  deps: Pick<DeliverDeps, 'context' | 'now'>,
  facts: Facts,
  { cause, reason, attempt }: Dropping,
): Promise<MailOutcome> {
  const led = causeOf(cause);
  const drop = {
    type: 'DropMail',
    ...facts,
    reason,
    at: deps.now(),
    ...(attempt === undefined ? {} : { attempt }),
    ...(led ? { cause: led } : {}),
  } as const;
  const { position, state } = await handle(deps.context(cause), mailDecider, mailStream(facts.mailId), drop);
  return state.status === 'settled' ? { outcome: 'settled', position } : { outcome: 'waits' };
}
