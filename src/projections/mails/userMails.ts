/** What was written to each user: kind, time and outcome of their mails, nothing of what stood in them. Goes with the account. */
import type { AccountEvent, EmailEvent } from '../../domain/account/events.ts';
import type { MailDropReason, MailEvent, MailKind } from '../../domain/mail/events.ts';
import type { SequenceMailsEvent, SequenceStopReason } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type UserMail = {
  readonly mailId: string;
  readonly kind: MailKind;
  /** `sending`: it is on its way, or is tried again. Else sent, or why it was not. */
  readonly outcome: 'sending' | 'sent' | MailDropReason;
  /** When that came to be so. */
  readonly at: string;
};

/** One a user, under their id. `mails`: the newest, in the order in which they began. */
export type UserMailsDocument = { readonly userId: string; readonly mails: readonly UserMail[] };

/** Kept of each user: what is older, their streams tell. */
const MOST_KEPT = 200;
/** Of these no mail was ever to be written. */
const NO_MAIL: readonly MailDropReason[] = ['nothing_to_tell', 'told_together'];

type Taken =
  | MailEvent
  | Extract<AccountEvent | EmailEvent, { readonly type: 'AccountRegistered' | 'AccountDeleted' | 'EmailRefused' }>
  | Extract<SequenceMailsEvent, { readonly type: 'SequenceMailFailed' | 'SequenceMailSkipped' | 'SequenceStopped' }>;

export const userMails: Projection<UserMailsDocument, Taken> = {
  name: 'userMails',
  version: 2,
  indexes: [],
  handles: [
    ...(['MailPrepared', 'MailSent', 'MailDropped', 'MailRequeued', 'AccountRegistered', 'AccountDeleted', 'EmailRefused'] as const),
    ...(['SequenceMailFailed', 'SequenceMailSkipped', 'SequenceStopped'] as const),
  ],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    switch (event.type) {
      case 'AccountRegistered':
        return document ?? { userId: event.data.userId, mails: [] };
      case 'AccountDeleted':
      case 'EmailRefused':
        return null;
      case 'MailPrepared':
        return withMail(document, event.data, 'sending', event.data.preparedAt);
      case 'MailRequeued':
        return withMail(document, event.data, 'sending', event.data.requeuedAt);
      case 'MailSent':
        return withMail(document, event.data, 'sent', event.data.sentAt);
      case 'MailDropped':
        return NO_MAIL.includes(event.data.reason) ? document : withMail(document, event.data, event.data.reason, event.data.droppedAt);
      case 'SequenceMailFailed':
        return notSent(document, event.data.mailId, event.data.reason, event.data.failedAt);
      case 'SequenceMailSkipped':
        return notSent(document, event.data.mailId, 'gone', event.data.skippedAt);
      case 'SequenceStopped':
        return notSent(document, event.data.mailId, whyStopped(event.data.reason), event.data.stoppedAt);
      default:
        event satisfies never;
        return document;
    }
  },
};

type Named = { readonly mailId: string; readonly kind: MailKind };

/** What ends after its account stays out: that has gone. */
function withMail(document: UserMailsDocument | null, { mailId, kind }: Named, outcome: UserMail['outcome'], at: string): UserMailsDocument | null {
  if (!document) return null;
  const mail: UserMail = { mailId, kind, outcome, at };
  const isKnown = document.mails.some((each) => each.mailId === mailId);
  const mails = isKnown ? document.mails.map((each) => (each.mailId === mailId ? mail : each)) : [...document.mails, mail].slice(-MOST_KEPT);
  return { ...document, mails };
}

/** Of an email of a sequence that was tried in vain: that it is tried no more, the user's stream tells, not its own. */
function notSent(document: UserMailsDocument | null, mailId: string | null, outcome: MailDropReason, at: string): UserMailsDocument | null {
  const tried = document?.mails.find((mail) => mail.mailId === mailId && mail.outcome === 'sending');
  return tried ? withMail(document, tried, outcome, at) : document;
}

function whyStopped(reason: SequenceStopReason): MailDropReason {
  if (reason === 'turned_off') return 'not_wanted';
  return reason === 'not_confirmed' ? 'not_confirmed' : 'gone';
}

export type UserMailsPage = { readonly mails: readonly UserMail[] /** Null at the end. */; readonly cursor: string | null };

/** Newest first. `cursor`: the last mail of the page before; null: it is none of the user's. */
export async function listUserMails(
  readModels: ReadModels,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<UserMailsPage | null> {
  const all = (await readModels.get<UserMailsDocument>('userMails', userId))?.data.mails.toReversed() ?? [];
  const before = cursor === undefined ? -1 : all.findIndex(({ mailId }) => mailId === cursor);
  if (cursor !== undefined && before < 0) return null;
  const mails = all.slice(before + 1, before + 1 + limit);
  return { mails, cursor: before + 1 + limit < all.length ? (mails.at(-1)?.mailId ?? null) : null };
}
