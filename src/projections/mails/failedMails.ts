/** Emails that should have been delivered but were not. Excludes those that were unwanted or no longer relevant. */
import type { MailEvent, MailKind } from '../../domain/mail/events.ts';
import { isMailFailure, type MailFailure } from '../../domain/mail/resend.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type FailedMailDocument = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: MailKind;
  readonly reason: MailFailure;
  /** Whether its cause is known. */
  readonly hasCause: boolean;
  readonly droppedAt: string;
};

type Taken = Extract<MailEvent, { readonly type: 'MailDropped' | 'MailRequeued' }>;

export const failedMails: Projection<FailedMailDocument, Taken> = {
  name: 'failedMails',
  version: 3,
  indexes: [['droppedAt'], ['reason', 'droppedAt']],
  handles: ['MailDropped', 'MailRequeued'],
  keys: (event) => [event.data.mailId],
  evolve(document, event) {
    // It is being sent again.
    if (event.type === 'MailRequeued') return null;
    const { mailId, userId, kind, reason, cause, droppedAt } = event.data;
    return isMailFailure(reason) ? { mailId, userId, kind, reason, hasCause: cause !== undefined, droppedAt } : document;
  },
};

/** Newest first. */
export function listFailedMails(
  readModels: ReadModels,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<Page<FailedMailDocument>> {
  return readModels.find('failedMails', { sort: [['droppedAt', 'desc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}

/** How many failed since that time (UTC ISO). */
export function countFailedMails(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('failedMails', { droppedAt: { gte: since } });
}

/** How many of them because no server accepts email for the address: usually a typo, not a fault of the installation. */
export function countRefusedMails(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('failedMails', { reason: 'refused', droppedAt: { gte: since } });
}
