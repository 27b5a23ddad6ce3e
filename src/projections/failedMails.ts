/** Mails that reached nobody although they should have. Not among them: what was not wanted, or had nothing to tell any more. */
import type { MailDropReason, MailEvent, MailKind } from '../domain/mail/events.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

/** Of these an operator is told. */
export const FAILURES = ['refused', 'too_old', 'given_up'] as const satisfies readonly MailDropReason[];
export type MailFailure = (typeof FAILURES)[number];

export type FailedMailDocument = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: MailKind;
  readonly reason: MailFailure;
  readonly droppedAt: string;
};

type Dropped = Extract<MailEvent, { readonly type: 'MailDropped' }>;

const isFailure = (reason: MailDropReason): reason is MailFailure => (FAILURES as readonly MailDropReason[]).includes(reason);

export const failedMails: Projection<FailedMailDocument, Dropped> = {
  name: 'failedMails',
  version: 1,
  indexes: [['droppedAt']],
  handles: ['MailDropped'],
  keys: (event) => [event.data.mailId],
  evolve(document, { data: { mailId, userId, kind, reason, droppedAt } }) {
    return isFailure(reason) ? { mailId, userId, kind, reason, droppedAt } : document;
  },
};

/** The newest first. */
export function listFailedMails(
  readModels: ReadModels,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<Page<FailedMailDocument>> {
  return readModels.find('failedMails', { sort: [['droppedAt', 'desc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}

/** How many failed since then (UTC ISO). */
export function countFailedMails(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('failedMails', { droppedAt: { gte: since } });
}
