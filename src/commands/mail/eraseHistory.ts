import { mailStream } from '../../domain/mail/events.ts';
import { mailDecider } from '../../domain/mail/mail.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';
import { mailOf } from './mailOf.ts';

type Owing = { readonly stream: string; readonly userId: string };

/**
 * Keeps only the last event of a stream whose events lead to emails. Emails neither sent nor dropped are dropped first:
 * pending work must not lose the event that opened it without being recorded as settled. Safe to repeat.
 */
export async function eraseHistory(ctx: CommandContext, { stream, userId }: Owing): Promise<void> {
  const read = await ctx.store.read(stream);
  if (read.status !== 'found') return;
  await dropMailsOf(ctx, userId, read.events.slice(0, -1));
  await keepLastOnly(ctx.store, stream);
}

/** The same for a stream that is about to be deleted entirely. */
export async function dropMails(ctx: CommandContext, { stream, userId }: Owing): Promise<void> {
  const read = await ctx.store.read(stream);
  if (read.status === 'found') await dropMailsOf(ctx, userId, read.events);
}

async function dropMailsOf(ctx: CommandContext, userId: string, events: readonly RecordedEvent[]): Promise<void> {
  for (const event of events) {
    const mail = mailOf(event);
    if (!mail) continue;
    const drop = { type: 'DropMail', ...mail, userId, reason: 'gone', at: ctx.now() } as const;
    await handle(
      { ...ctx, commandId: derivedId(ctx.commandId, mail.mailId) },
      mailDecider,
      mailStream(mail.mailId),
      drop,
    );
  }
}
