/** Events that a follower could not take: owed from when they were set aside until they are done or dropped. */
import type { CommandContext } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { handle, loadState } from '../../commands/handle.ts';
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { FollowUpEvent } from '../../domain/work/events.ts';
import { type FollowUpCommand, followUpDecider, followUpStream } from '../../domain/work/followUp.ts';
import type { Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Follower, NotYet } from '../follower.ts';
import type { WorkKind, WorkRule } from '../kind.ts';
import { readEvent } from '../opener.ts';
import { fullJitter } from '../retry.ts';

export const FOLLOW_UP = 'followUp';

const idOf = ({ data }: { readonly data: object }): string => (data as { readonly followUpId: string }).followUpId;

export const followUpRule: WorkRule = {
  kind: FOLLOW_UP,
  opens: {
    // The followers share the places.
    FollowUpSetAside: ({ data }) => ({
      itemId: idOf({ data }),
      lane: (data as Extract<FollowUpEvent, { readonly type: 'FollowUpSetAside' }>['data']).follower,
    }),
  },
  closes: { FollowUpDone: idOf, FollowUpDropped: idOf },
};

/** For what is not there yet, ms. */
const WAIT_MS = 5_000;
const PARALLEL = 4;
const PARALLEL_OF_A_FOLLOWER = 2;

export type FollowUpDeps = {
  readonly context: () => CommandContext;
  /** UTC ISO. */
  readonly now: () => string;
  readonly followers: readonly Follower[];
};

export function followUpKind({ context, now, followers }: FollowUpDeps, options: { readonly random: () => number }): WorkKind {
  const act = async (followUpId: string, command: FollowUpCommand): Promise<Position> =>
    (await handle(context(), followUpDecider, followUpStream(followUpId), command)).position;
  return {
    rule: followUpRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_FOLLOWER,
    stepsEnded: async () => 0,
    perform: async ({ itemId }, _holding, signal) => {
      const { store } = context();
      const { state, position } = await loadState(store, followUpDecider, followUpStream(itemId));
      if (state.status !== 'open') return { outcome: 'settled', position };
      const event = await readEvent(store, state.stream, state.revision);
      const follower = followers.find(({ name }) => name === state.follower);
      if (!event || !follower) return { outcome: 'settled', position: await act(itemId, { type: 'DropFollowUp', reason: 'gone', at: now() }) };
      try {
        await follower.follow(event, signal);
      } catch (error) {
        if (error instanceof NotYet) return { outcome: 'later', notBefore: new Date(Date.parse(now()) + WAIT_MS).toISOString() };
        throw error;
      }
      return { outcome: 'settled', position: await act(itemId, { type: 'FinishFollowUp', at: now() }) };
    },
    retryAfterMs: fullJitter(options.random),
    giveUp: (item, why, held) => giveUpHeld(context(), item, why, held),
  };
}

/** Keeps an event for later, so that it holds nobody up. The same event of the same follower is set aside once. */
export async function setFollowUpAside(ctx: CommandContext, follower: string, event: RecordedEvent, error: string): Promise<void> {
  const followUpId = derivedId(event.id, 'followUp', follower);
  const { stream, revision, type: eventType } = event;
  const aside = { type: 'SetFollowUpAside', followUpId, follower, stream, revision: String(revision), eventType, error, at: ctx.now() } as const;
  await handle(ctx, followUpDecider, followUpStream(followUpId), aside);
}
