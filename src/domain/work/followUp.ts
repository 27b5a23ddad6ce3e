/**
 * One event that a follower failed to process: set aside, then done or dropped, once; a dropped one may be queued
 * again.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { FollowUpEvent, WorkEvent } from './events.ts';

type SetAside = Extract<FollowUpEvent, { readonly type: 'FollowUpSetAside' }>['data'];

export type FollowUpState =
  | { readonly status: 'none' }
  | (SetAside & { readonly status: 'open' })
  | (SetAside & { readonly status: 'closed'; readonly isDropped: boolean });

/** `at` is the time of the command, UTC ISO. */
export type FollowUpCommand =
  | ({ readonly type: 'SetFollowUpAside'; readonly at: string } & Omit<SetAside, 'setAsideAt'>)
  | { readonly type: 'FinishFollowUp'; readonly at: string }
  | { readonly type: 'DropFollowUp'; readonly reason: 'dropped' | 'gone'; readonly at: string }
  | { readonly type: 'RequeueFollowUp'; readonly at: string };

export const followUpDecider: Decider<FollowUpState, FollowUpCommand, FollowUpEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve(state, event) {
    if (event.type === 'FollowUpSetAside') return { ...event.data, status: 'open' };
    if (state.status === 'none') return state;
    if (event.type === 'FollowUpRequeued') return { ...setAsideOf(state), status: 'open' };
    return {
      ...setAsideOf(state),
      status: 'closed',
      isDropped: event.type === 'FollowUpDropped' && event.data.reason === 'dropped',
    };
  },
  decide(command, state) {
    if (command.type === 'SetFollowUpAside') {
      const { type: _, at, ...data } = command;
      return state.status === 'none' ? [{ type: 'FollowUpSetAside', data: { ...data, setAsideAt: at } }] : [];
    }
    if (command.type === 'RequeueFollowUp') return requeue(command.at, state);
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

function setAsideOf({ followUpId, follower, stream, revision, eventType, error, setAsideAt }: SetAside): SetAside {
  return { followUpId, follower, stream, revision, eventType, error, setAsideAt };
}

/** No effect while it is pending. */
function requeue(at: string, state: FollowUpState): readonly FollowUpEvent[] {
  if (state.status === 'open') return [];
  if (state.status === 'none' || !state.isDropped)
    throw new DomainError('WORK_NOT_RETRYABLE', 'This event was not given up.');
  return [
    { type: 'FollowUpRequeued', data: { followUpId: state.followUpId, follower: state.follower, requeuedAt: at } },
  ];
}

export type WorkCommand = {
  readonly type: 'AskRetry' | 'DropGivenUp';
  readonly kind: string;
  readonly itemId: string;
  readonly at: string;
};

/** Every request counts: an item may need another retry after it failed again. */
export const workDecider: Decider<null, WorkCommand, WorkEvent> = {
  initialState: () => null,
  evolve: (state) => state,
  decide: ({ type, kind, itemId, at }) => [
    type === 'AskRetry'
      ? { type: 'WorkRetryAsked', data: { kind, itemId, askedAt: at } }
      : { type: 'GivenUpWorkDropped', data: { kind, itemId, droppedAt: at } },
  ],
};
