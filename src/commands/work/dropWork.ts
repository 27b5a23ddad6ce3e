import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/job.ts';
import { mailDecider, mailStream } from '../../domain/mail/mail.ts';
import { deliveryDecider, deliveryStream } from '../../domain/webhooks/delivery.ts';
import { followUpDecider, followUpStream } from '../../domain/work/followUp.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { mailKindOf } from '../mail/mailOf.ts';

/** An item of work as its list has it. */
export type DroppedItem = { readonly kind: string; readonly itemId: string; readonly lane: string; readonly opener: { readonly type: string } };

type Drop = (ctx: CommandContext, item: DroppedItem) => Promise<{ readonly events: readonly object[]; readonly position: Position }>;

/** What the owner of an audit reads. */
const DROPPED_AUDIT = 'This analysis was stopped by an operator. It was given back; please submit the address again later.';

/** By kind of work: the event that ends what is owed. What follows from that end (an analysis given back, a mail) follows as from any other. */
const DROPS: Readonly<Record<string, Drop>> = {
  audit: (ctx, { itemId }) => handle(ctx, jobDecider, jobStream(itemId), { type: 'FailJob', code: 'INTERNAL', reason: DROPPED_AUDIT, at: ctx.now() }),
  mail: (ctx, { itemId, lane, opener }) => {
    const kind = mailKindOf({ type: opener.type, data: {} });
    if (kind === null) throw new DomainError('NO_SUCH_WORK', `No mail follows from ${opener.type}.`);
    return handle(ctx, mailDecider, mailStream(itemId), { type: 'DropMail', mailId: itemId, userId: lane, kind, reason: 'given_up', at: ctx.now() });
  },
  webhook: (ctx, { itemId }) =>
    handle(ctx, deliveryDecider, deliveryStream(itemId), { type: 'GiveUpDelivery', error: 'An operator dropped it.', at: ctx.now() }),
  followUp: (ctx, { itemId }) => handle(ctx, followUpDecider, followUpStream(itemId), { type: 'DropFollowUp', reason: 'dropped', at: ctx.now() }),
};

/**
 * Nobody shall do this item of work any more: the event by which its kind gives it up is written.
 * @throws DomainError NO_SUCH_WORK; WORK_ALREADY_OVER; or why what it is about cannot be ended
 */
export async function dropWork(ctx: CommandContext, item: DroppedItem): Promise<{ readonly position: Position }> {
  const drop = Object.hasOwn(DROPS, item.kind) ? DROPS[item.kind] : undefined;
  if (!drop) throw new DomainError('NO_SUCH_WORK', `There is no kind of work called ${item.kind}.`);
  const { events, position } = await drop(ctx, item);
  if (events.length === 0)
    throw new DomainError('WORK_ALREADY_OVER', `By its stream ${item.kind} ${item.itemId} is over: its list is behind, or needs npm run rebuild.`);
  return { position };
}
