import type { AccountEvent } from '../domain/account/events.ts';
import type { EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import type { ListOwned } from './accountParts.ts';
import type { CommandContext } from './context.ts';
import { derivedId } from './derivedId.ts';
import { eraseAccount } from './eraseAccount.ts';

const PAGE = 100;
/** Until then it is gone over again: a submission that was under way may have ended after the erasure. */
const GRACE_MS = 10 * 60 * 1_000;

type Deleted = Extract<AccountEvent, { readonly type: 'AccountDeleted' }>['data'];

/** Owner of deletions of accounts: erases what a crash, or a late write, has left. Goes through those after `after`; pass `next` the next time. */
export async function reconcileAccountDeletions(
  ctx: CommandContext,
  input: {
    readonly after: Position;
    readonly owned: ListOwned;
    /** Whether the lists know the log up to there. */
    readonly reached: (position: Position) => Promise<boolean>;
  },
): Promise<{ readonly next: Position }> {
  const before = new Date(Date.parse(ctx.now()) - GRACE_MS).toISOString();
  let next = input.after;
  let settled = true;
  for (let after = input.after; ; ) {
    const page = await ctx.store.readAll({ after, limit: PAGE, filter: { types: ['AccountDeleted'] } });
    for (const event of page.events) {
      const { userId, deletedAt } = event.data as Deleted;
      if (!(await input.reached(event.position))) return { next };
      const late = deletedAt >= before;
      if (late || !(await isErased(ctx.store, event)))
        await eraseAccount({ ...ctx, commandId: derivedId(ctx.commandId, userId) }, { userId, owned: input.owned });
      settled &&= !late;
      if (settled) next = event.position;
    }
    if (page.end) return { next: settled ? page.next : next };
    after = page.next;
  }
}

/** The account's own stream is let go last, down to the fact itself. */
async function isErased(store: EventStore, deleted: RecordedEvent): Promise<boolean> {
  const read = await store.read(deleted.stream, { limit: 1 });
  return read.status !== 'found' || read.events[0]?.id === deleted.id;
}
