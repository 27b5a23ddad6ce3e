/**
 * One event of the payment provider: received once, then applied or ignored, once; one that was given up may be queued
 * again.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { Actor } from '../stored/metadata.ts';
import type { IgnoreReason, ProviderEventEvent } from './events.ts';

type Received = Extract<ProviderEventEvent, { readonly type: 'ProviderEventReceived' }>['data'];

export type ProviderEventState =
  | { readonly status: 'none' }
  | { readonly status: 'received'; readonly received: Received }
  | { readonly status: 'settled'; readonly received: Received; readonly isGivenUp: boolean };

/** `at` is the time of the command, UTC ISO. */
export type ProviderEventCommand =
  | { readonly type: 'ReceiveProviderEvent'; readonly event: Omit<Received, 'receivedAt'>; readonly at: string }
  | {
      readonly type: 'MarkProviderEventApplied';
      readonly userId: string;
      readonly outcome: 'recorded' | 'nothing_new';
      readonly at: string;
    }
  | {
      readonly type: 'IgnoreProviderEvent';
      readonly userId: string | null;
      readonly reason: IgnoreReason;
      readonly at: string;
    }
  | { readonly type: 'RequeueProviderEvent'; readonly at: string };

/** The worker that records provider events in the bills; `verify` recognizes its events by this name. */
export const PAYMENTS_WORKER: Actor = { kind: 'worker', id: 'payments' };

export const providerEventDecider: Decider<ProviderEventState, ProviderEventCommand, ProviderEventEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve(state, event) {
    if (event.type === 'ProviderEventReceived') return { status: 'received', received: event.data };
    if (state.status === 'none') return state;
    const { received } = state;
    if (event.type === 'ProviderEventRequeued') return { status: 'received', received };
    return {
      status: 'settled',
      received,
      isGivenUp: event.type === 'ProviderEventIgnored' && event.data.reason === 'given_up',
    };
  },
  decide(command, state) {
    if (command.type === 'ReceiveProviderEvent')
      return state.status === 'none'
        ? [{ type: 'ProviderEventReceived', data: { ...command.event, receivedAt: command.at } }]
        : [];
    if (command.type === 'RequeueProviderEvent') return requeue(command.at, state);
    if (state.status !== 'received') return [];
    const { eventId } = state.received;
    switch (command.type) {
      case 'MarkProviderEventApplied':
        return [
          {
            type: 'ProviderEventApplied',
            data: { eventId, userId: command.userId, outcome: command.outcome, appliedAt: command.at },
          },
        ];
      case 'IgnoreProviderEvent':
        return [
          {
            type: 'ProviderEventIgnored',
            data: { eventId, userId: command.userId, reason: command.reason, ignoredAt: command.at },
          },
        ];
      default:
        return unreachable(command);
    }
  },
};

/** No effect while it is pending. */
function requeue(at: string, state: ProviderEventState): readonly ProviderEventEvent[] {
  if (state.status === 'received') return [];
  if (state.status === 'none' || !state.isGivenUp)
    throw new DomainError('WORK_NOT_RETRYABLE', 'This event was not given up.');
  return [{ type: 'ProviderEventRequeued', data: { eventId: state.received.eventId, requeuedAt: at } }];
}
