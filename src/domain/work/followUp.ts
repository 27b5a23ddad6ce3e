/** One event that a follower failed to process: set aside, then done or dropped, once. */
import { type Decider, unreachable } from '../decider.ts';
import type { FollowUpEvent, WorkEvent } from './events.ts';

type SetAside = Extract<FollowUpEvent, { readonly type: 'FollowUpSetAside' }>['data'];

export type FollowUpState = { readonly status: 'none' } | (SetAside & { readonly status: 'open' }) | (SetAside & { readonly status: 'closed' });

/** `at` is the time of the command, UTC ISO. */
export type FollowUpCommand =
  | ({ readonly type: 'SetFollowUpAside'; readonly at: string } & Omit<SetAside, 'setAsideAt'>)
  | { readonly type: 'FinishFollowUp'; readonly at: string }
  | { readonly type: 'DropFollowUp'; readonly reason: 'dropped' | 'gone'; readonly at: string };

export const followUpStream = (followUpId: string): string => `follow-up-${followUpId}`;

export const followUpDecider: Decider<FollowUpState, FollowUpCommand, FollowUpEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve(state, event) {
    if (event.type === 'FollowUpSetAside') return { ...event.data, status: 'open' };
    return state.status === 'none' ? state : { ...state, status: 'closed' };
  },
  decide(command, state) {
    if (command.type === 'SetFollowUpAside') {
      const { type: _, at, ...data } = command;
      return state.status === 'none' ? [{ type: 'FollowUpSetAside', data: { ...data, setAsideAt: at } }] : [];
    }
    if (state.status !== 'open') return [];
    const { followUpId } = state;
    switch (command.type) {
      case 'FinishFollowUp':
        return [{ type: 'FollowUpDone', data: { followUpId, doneAt: command.at } }];
      case 'DropFollowUp':
        return [{ type: 'FollowUpDropped', data: { followUpId, reason: command.reason, droppedAt: command.at } }];
      default:
        return unreachable(command);
    }
  },
};

export type WorkCommand = { readonly type: 'AskRetry'; readonly kind: string; readonly itemId: string; readonly at: string };

export const workStream = (kind: string, itemId: string): string => `work-${kind}-${itemId}`;

/** Every request counts: an item may need another retry after it failed again. */
export const workDecider: Decider<null, WorkCommand, WorkEvent> = {
  initialState: () => null,
  evolve: (state) => state,
  decide: ({ kind, itemId, at }) => [{ type: 'WorkRetryAsked', data: { kind, itemId, askedAt: at } }],
};
