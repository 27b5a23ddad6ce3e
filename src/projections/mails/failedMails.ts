/** Emails that should have been delivered but were not. Excludes those that were unwanted or no longer relevant. */
import type { MailKind } from '../../domain/mail/events.ts';
import { isMailFailure, type MailFailure } from '../../domain/mail/resend.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

export type FailedMailDocument = {
  readonly id: string;
  readonly kind: MailKind;
  readonly reason: MailFailure;
  readonly failed_at: string;
  readonly userId: string;
  /** Whether its cause is known. */
  readonly hasCause: boolean;
};

export const failedMails = projection<FailedMailDocument>()({
  name: 'failedMails',
  version: 4,
  shape: 2,
  indexes: [['failed_at'], ['reason', 'failed_at']],
  keys: ({ data }) => [data.mailId],
  on: {
    MailDropped: (document, { data: { mailId, userId, kind, reason, cause, droppedAt } }) =>
      isMailFailure(reason)
        ? { id: mailId, kind, reason, failed_at: droppedAt, userId, hasCause: cause !== undefined }
        : document,
    // It is being sent again.
    MailRequeued: () => null,
  },
});

/** Newest first. */
export function listFailedMails(
  readModels: ReadModels,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<Page<FailedMailDocument>> {
  return readModels.find('failedMails', {
    sort: [['failed_at', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** How many failed since that time (UTC ISO). */
export function countFailedMails(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('failedMails', { failed_at: { gte: since } });
}

/**
 * How many of them because no server accepts email for the address: usually a typo, not a fault of the installation.
 */
export function countRefusedMails(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count('failedMails', { reason: 'refused', failed_at: { gte: since } });
}
