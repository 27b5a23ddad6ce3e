/** Operator commands from a terminal: parked events and their retry, undelivered emails. */
import { join } from 'node:path';
import * as z from 'zod';
import { retryParked } from '../../commands/work/retryParked.ts';
import { DomainError } from '../../domain/decider.ts';
import type { MailFailure } from '../../domain/mail/resend.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { listOutbox } from '../../integrations/mailer/outbox.ts';
import { listAccountsById } from '../../projections/accounts.ts';
import { listFailedMails } from '../../projections/mails/failedMails.ts';
import type { ParkedRecord, ReadModels } from '../../readModels/readModels.ts';
import { operatorContext } from '../../work/operate.ts';

export const SystemRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('parked') }),
  /** Without a document: all of the model; without a model: everything. */
  z.strictObject({
    action: z.literal('retry-parked'),
    model: z.string().min(1).optional(),
    documentId: z.string().min(1).optional(),
  }),
  z.strictObject({ action: z.literal('mails') }),
]);
export type SystemRequest = z.infer<typeof SystemRequest>;

export type SystemAnswer = {
  readonly parked: readonly ParkedRecord[];
  readonly failed: readonly {
    readonly mailId: string;
    readonly email: string | null;
    readonly kind: string;
    readonly reason: MailFailure;
    readonly at: string;
  }[];
  /** The newest emails that were kept instead of sent. */
  readonly outbox: readonly { readonly to: string; readonly subject: string; readonly at: string }[];
};

const MOST_MAILS = 100;
const NOTHING: SystemAnswer = { parked: [], failed: [], outbox: [] };

/** A retry returns what it requested; the projector performs it. @throws DomainError NOT_PARKED */
export async function operateSystem(
  stores: { readonly store: EventStore; readonly readModels: ReadModels },
  dataDir: string,
  request: SystemRequest,
): Promise<SystemAnswer> {
  const { store, readModels } = stores;
  switch (request.action) {
    case 'parked':
      return { ...NOTHING, parked: await readModels.parked() };
    case 'retry-parked': {
      const { model, documentId } = request;
      const parked = (await readModels.parked(model)).filter(
        (record) => documentId === undefined || record.documentId === documentId,
      );
      if (parked.length === 0) throw new DomainError('NOT_PARKED', 'No such event is parked.');
      for (const record of parked) await retryParked(operatorContext(store), record);
      return { ...NOTHING, parked };
    }
    case 'mails': {
      const failed = (await listFailedMails(readModels, { limit: MOST_MAILS })).documents.map(({ data }) => data);
      const accounts = await listAccountsById(readModels, [...new Set(failed.map(({ userId }) => userId))]);
      const emails = new Map(accounts.map(({ id, data }) => [id, data.email]));
      return {
        ...NOTHING,
        failed: failed.map(({ id, userId, kind, reason, failed_at }) => ({
          mailId: id,
          email: emails.get(userId) ?? null,
          kind,
          reason,
          at: failed_at,
        })),
        outbox: (await listOutbox(join(dataDir, 'outbox'), MOST_MAILS)).map(({ to, subject, at }) => ({
          to,
          subject,
          at,
        })),
      };
    }
    default:
      return request satisfies never;
  }
}
