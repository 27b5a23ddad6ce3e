/** Emails written to each user: kind, time and outcome, none of the content. Deleted with the account. */
import type { MailDropReason, MailKind } from '../../domain/mail/events.ts';
import type { SequenceStopReason } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

export type UserMail = {
  readonly id: string;
  readonly kind: MailKind;
  /** `sending`: it is being sent or retried. Otherwise `sent`, or why it was not. */
  readonly outcome: 'sending' | 'sent' | MailDropReason;
  /** Time of the outcome. */
  readonly at: string;
};

/** One per user, under their id. `mails`: the newest ones, in the order they were started. */
export type UserMailsDocument = { readonly userId: string; readonly mails: readonly UserMail[] };

/** Maximum kept per user: older ones are only in their streams. */
const MOST_KEPT = 200;
/** Outcomes that mean no email was ever intended. */
const NO_MAIL: readonly MailDropReason[] = ['nothing_to_tell', 'told_together'];

export const userMails = projection<UserMailsDocument>()({
  name: 'userMails',
  version: 4,
  shape: 2,
  indexes: [],
  keys: ({ data }) => [data.userId],
  on: {
    MailPrepared: (document, { data }) => withMail(document, data, 'sending', data.preparedAt),
    MailSent: (document, { data }) => withMail(document, data, 'sent', data.sentAt),
    MailDropped: (document, { data }) =>
      NO_MAIL.includes(data.reason) ? document : withMail(document, data, data.reason, data.droppedAt),
    MailRequeued: (document, { data }) => withMail(document, data, 'sending', data.requeuedAt),
    AccountRegistered: (document, { data }) => document ?? { userId: data.userId, mails: [] },
    AccountDeleted: () => null,
    EmailRefused: () => null,
    SequenceMailFailed: (document, { data }) => notSent(document, data.mailId, data.reason, data.failedAt),
    SequenceMailSkipped: (document, { data }) => notSent(document, data.mailId, 'gone', data.skippedAt),
    SequenceMailRequeued: (document, { data: { mailId, requeuedAt } }) =>
      document?.mails.some(({ id }) => id === mailId)
        ? withMail(document, { mailId, kind: 'sequence' }, 'sending', requeuedAt)
        : document,
    SequenceStopped: (document, { data }) => notSent(document, data.mailId, whyStopped(data.reason), data.stoppedAt),
  },
});

type Named = { readonly mailId: string; readonly kind: MailKind };

/** Ignores an email that ends after its account was deleted. */
function withMail(
  document: UserMailsDocument | null,
  { mailId, kind }: Named,
  outcome: UserMail['outcome'],
  at: string,
): UserMailsDocument | null {
  if (!document) return null;
  const mail: UserMail = { id: mailId, kind, outcome, at };
  const isKnown = document.mails.some(({ id }) => id === mailId);
  const mails = isKnown
    ? document.mails.map((each) => (each.id === mailId ? mail : each))
    : [...document.mails, mail].slice(-MOST_KEPT);
  return { ...document, mails };
}

/**
 * For a sequence email that was attempted but failed: the end of its retries is in the user's stream, not in the
 * email's own.
 */
function notSent(
  document: UserMailsDocument | null,
  mailId: string | null,
  outcome: MailDropReason,
  at: string,
): UserMailsDocument | null {
  const tried = document?.mails.find((mail) => mail.id === mailId && mail.outcome === 'sending');
  return tried ? withMail(document, { mailId: tried.id, kind: tried.kind }, outcome, at) : document;
}

function whyStopped(reason: SequenceStopReason): MailDropReason {
  if (reason === 'turned_off') return 'not_wanted';
  return reason === 'not_confirmed' ? 'not_confirmed' : 'gone';
}

export type UserMailsPage = {
  readonly mails: readonly UserMail[] /** Null at the end. */;
  readonly cursor: string | null;
};

/** Newest first. `cursor`: the last email of the previous page; returns null if it is not one of the user's. */
export async function listUserMails(
  readModels: ReadModels,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<UserMailsPage | null> {
  const all = (await readModels.get<UserMailsDocument>('userMails', userId))?.data.mails.toReversed() ?? [];
  const before = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && before < 0) return null;
  const mails = all.slice(before + 1, before + 1 + limit);
  return { mails, cursor: before + 1 + limit < all.length ? (mails.at(-1)?.id ?? null) : null };
}
