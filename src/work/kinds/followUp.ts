/**
 * Events that a follower could not handle: pending from when they were set aside, or queued again, until they are done
 * or dropped.
 */

import type { CommandContext, ContextOf } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { handle, loadState } from '../../commands/handle.ts';
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import { followUpStream } from '../../domain/work/events.ts';
import { type FollowUpCommand, followUpDecider } from '../../domain/work/followUp.ts';
import type { Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Follower, NotYet } from '../follower.ts';
import { fullJitter, on, type WorkItem, type WorkKind, type WorkRule } from '../kind.ts';
import { readEvent } from '../opener.ts';

export const FOLLOW_UP = 'followUp';

export const followUpRule: WorkRule = {
  kind: FOLLOW_UP,
  // The followers share the slots.
  opens: on(['FollowUpSetAside', 'FollowUpRequeued'], ({ data }) => ({ itemId: data.followUpId, lane: data.follower })),
  closes: on(['FollowUpDone', 'FollowUpDropped'], ({ data }) => data.followUpId),
};

/** Delay if a precondition is not met yet, ms. */
const WAIT_MS = 5_000;
const PARALLEL = 4;
const PARALLEL_OF_A_FOLLOWER = 2;

export type FollowUpDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  readonly followers: readonly Follower[];
};

export function followUpKind(
  { context, now, followers }: FollowUpDeps,
  options: { readonly random: () => number },
): WorkKind {
  const act = async ({ itemId, opener }: WorkItem, command: FollowUpCommand): Promise<Position> =>
    (await handle(context(opener), followUpDecider, followUpStream(itemId), command)).position;
  return {
    rule: followUpRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_FOLLOWER,
    stepsEnded: async () => 0,
    perform: async (item, _holding, signal) => {
      const { itemId, opener } = item;
      const { store } = context(opener);
      const { state, position } = await loadState(store, followUpDecider, followUpStream(itemId));
      if (state.status !== 'open') return { outcome: 'settled', position };
      const event = await readEvent(store, state.stream, state.revision);
      const follower = followers.find(({ name }) => name === state.follower);
      if (!event || !follower)
        return { outcome: 'settled', position: await act(item, { type: 'DropFollowUp', reason: 'gone', at: now() }) };
      try {
        await follower.follow(event, signal);
      } catch (error) {
        if (error instanceof NotYet)
          return { outcome: 'later', notBefore: new Date(Date.parse(now()) + WAIT_MS).toISOString() };
        throw error;
      }
      return { outcome: 'settled', position: await act(item, { type: 'FinishFollowUp', at: now() }) };
    },
    retryAfterMs: fullJitter(options.random),
    giveUp: (item, why, held) => giveUpHeld(context(item.opener), item, why, held),
  };
}

/** Sets an event aside for later, so that it delays nothing else. Done once per event and follower. */
export async function setFollowUpAside(
  ctx: CommandContext,
  follower: string,
  event: RecordedEvent,
  error: string,
): Promise<void> {
  const followUpId = derivedId(event.id, 'followUp', follower);
  const { stream, revision, type: eventType } = event;
  const aside = {
    type: 'SetFollowUpAside',
    followUpId,
    follower,
    stream,
    revision: String(revision),
    eventType,
    error,
    at: ctx.now(),
  } as const;
  await handle(ctx, followUpDecider, followUpStream(followUpId), aside);
}
