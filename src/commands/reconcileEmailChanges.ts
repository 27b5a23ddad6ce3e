import { accountStream } from '../domain/account/account.ts';
import { accountDecider } from '../domain/account/decide.ts';
import type { AccountEvent } from '../domain/account/events.ts';
import { DomainError } from '../domain/decider.ts';
import type { Position } from '../eventStore/eventStore.ts';
import { finishEmailChange, releaseEmail } from './changeEmail.ts';
import type { CommandContext } from './context.ts';
import { loadState } from './handle.ts';

/** Younger ones may be under way. */
const GRACE_MS = 60 * 1_000;
const PAGE = 200;

type Asked = Extract<AccountEvent, { readonly type: 'AccountEmailChangeAsked' }>['data'];
type Changed = Extract<AccountEvent, { readonly type: 'AccountEmailChanged' }>['data'];

/** Owner of changes of an address that broke off: finishes them, and lets go of what they held. Goes through those after `after`; pass `next` the next time. */
export async function reconcileEmailChanges(
  ctx: CommandContext,
  input: { readonly after: Position },
): Promise<{ readonly finished: number; readonly next: Position }> {
  const before = new Date(Date.parse(ctx.now()) - GRACE_MS).toISOString();
  let finished = 0;
  for (let after = input.after; ; ) {
    const page = await ctx.store.readAll({ after, limit: PAGE, filter: { types: ['AccountEmailChangeAsked', 'AccountEmailChanged'] } });
    for (const event of page.events) {
      if (event.metadata.at >= before) return { finished, next: after };
      if (event.type === 'AccountEmailChangeAsked') finished += await settle(ctx, event.data as Asked);
      else await releaseFormer(ctx, event.data as Changed);
      after = event.position;
    }
    if (page.end) return { finished, next: page.next };
    after = page.next;
  }
}

/** Answers 1 when the account got its address by this. */
async function settle(ctx: CommandContext, { userId, email }: Asked): Promise<number> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  // Changed already, or on its way by a later wish: `releaseFormer` or that wish sees to it.
  if (state.status === 'active' && state.email === email) return 0;
  if (state.status !== 'active' || state.nextEmail !== email) {
    await releaseEmail(ctx, { userId, email });
    return 0;
  }
  return finishEmailChange(ctx, { userId, email }).then(
    () => 1,
    (error: unknown) => {
      if (error instanceof DomainError) return 0;
      throw error;
    },
  );
}

async function releaseFormer(ctx: CommandContext, { userId, formerEmail }: Changed): Promise<void> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status === 'active' && (state.email === formerEmail || state.nextEmail === formerEmail)) return;
  await releaseEmail(ctx, { userId, email: formerEmail });
}
