import { DomainError } from '../../domain/decider.ts';
import { mailStream } from '../../domain/mail/events.ts';
import { mailDecider } from '../../domain/mail/mail.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

/**
 * Resends an undelivered email under the same Message-ID, provided it is still wanted by then. No effect while it is
 * pending.
 * @throws DomainError MAIL_NOT_RESENDABLE with the reason
 */
export async function resendMail(
  ctx: CommandContext,
  { mailId }: { readonly mailId: string },
): Promise<{ readonly position: Position }> {
  const stream = mailStream(mailId);
  const { state } = await loadState(ctx.store, mailDecider, stream);
  if (state.status === 'settled' && state.cause !== null && !(await isThere(ctx, state.cause)))
    throw new DomainError('MAIL_NOT_RESENDABLE', 'What it was about has been deleted.');
  const { position } = await handle(ctx, mailDecider, stream, { type: 'RequeueMail', mailId, at: ctx.now() });
  return { position };
}

async function isThere(
  { store }: CommandContext,
  { id, stream, revision }: { readonly id: string; readonly stream: string; readonly revision: string },
) {
  const read = await store.read(stream, { from: BigInt(revision), limit: 1 });
  return read.status === 'found' && read.events[0]?.id === id;
}
