import { mailDecider, mailStream } from '../../domain/mail/mail.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';
import { mailOf } from './mailOf.ts';

/**
 * Keeps only the last event of a stream that has events which lead to mails. Those that are neither sent nor dropped are dropped first: what is pending
 * must not lose the event that says so while nothing says that it is settled. Safe to repeat.
 */
export async function eraseHistory(ctx: CommandContext, { stream, userId }: { readonly stream: string; readonly userId: string }): Promise<void> {
  const read = await ctx.store.read(stream);
  if (read.status !== 'found') return;
  for (const event of read.events.slice(0, -1)) {
    const mail = mailOf(event);
    if (!mail) continue;
    const drop = { type: 'DropMail', ...mail, userId, reason: 'gone', at: ctx.now() } as const;
    await handle({ ...ctx, commandId: derivedId(ctx.commandId, mail.mailId) }, mailDecider, mailStream(mail.mailId), drop);
  }
  await keepLastOnly(ctx.store, stream);
}
