/** One message to one endpoint: queued, attempted, and retried at increasing intervals. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { DeliveredEvent, WebhookDeliveryEvent } from './events.ts';

type Facts = {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly userId: string;
  readonly event: DeliveredEvent;
  readonly body: string;
  readonly queuedAt: string;
};

/** `arrivedAt`: the last successful delivery. */
type Queued = Facts & { readonly arrivedAt: string | null };

export type DeliveryState =
  | { readonly status: 'none' }
  | (Queued & {
      readonly status: 'waiting';
      /** When it was last queued. */
      readonly since: string;
      /** Number of attempts started. */
      readonly attempt: number;
      readonly dueAt: string;
      /** Started but not answered yet. */
      readonly trying: boolean;
    })
  | (Queued & { readonly status: 'delivered' | 'failed' })
  | { readonly status: 'forgotten' };

/** `at` is the time of the command, UTC ISO. */
export type DeliveryCommand =
  | ({ readonly type: 'QueueDelivery'; readonly at: string } & Omit<Facts, 'queuedAt'>)
  /** `asked`: someone requested it now, regardless of the next scheduled attempt. */
  | { readonly type: 'StartTry'; readonly asked?: boolean; readonly at: string }
  | {
      readonly type: 'RecordTry';
      readonly attempt: number;
      readonly ok: boolean;
      readonly status: number | null;
      readonly ms: number;
      readonly error: string | null;
      /** Retrying is pointless. */
      readonly final?: boolean;
      readonly at: string;
    }
  /** By an operator, or after too many interrupted attempts. */
  | { readonly type: 'GiveUpDelivery'; readonly error: string; readonly at: string }
  | { readonly type: 'RequeueDelivery'; readonly at: string }
  | { readonly type: 'ForgetDelivery'; readonly deliveryId: string; readonly endpointId: string; readonly at: string };

type Command<Type extends DeliveryCommand['type']> = Extract<DeliveryCommand, { readonly type: Type }>;

const MINUTE_MS = 60_000;
/** After the first attempt, the second, …: six attempts within 24 hours and some minutes. */
export const RETRY_DELAYS_MS: readonly number[] = [1, 10, 60, 5 * 60, 18 * 60].map((minutes) => minutes * MINUTE_MS);
export const MAX_TRIES = RETRY_DELAYS_MS.length + 1;
/** An attempt without an outcome after this was interrupted by a crash: it is made again. */
export const TRY_LEASE_MS = MINUTE_MS;

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

function evolve(state: DeliveryState, event: WebhookDeliveryEvent): DeliveryState {
  switch (event.type) {
    case 'WebhookQueued':
      return {
        ...event.data,
        arrivedAt: null,
        status: 'waiting',
        since: event.data.queuedAt,
        attempt: 0,
        dueAt: event.data.queuedAt,
        trying: false,
      };
    case 'WebhookTryStarted':
      if (state.status !== 'waiting') return state;
      return { ...state, attempt: event.data.attempt, trying: true, dueAt: later(event.data.startedAt, TRY_LEASE_MS) };
    case 'WebhookTried':
      if (state.status !== 'waiting') return state;
      if (event.data.nextTryAt !== null) return { ...state, trying: false, dueAt: event.data.nextTryAt };
      return {
        ...factsOf(state),
        ...(event.data.ok ? { arrivedAt: event.data.triedAt, status: 'delivered' } : { status: 'failed' }),
      };
    case 'WebhookRequeued':
      if (state.status !== 'delivered' && state.status !== 'failed') return state;
      return {
        ...factsOf(state),
        status: 'waiting',
        since: event.data.requeuedAt,
        attempt: 0,
        dueAt: event.data.requeuedAt,
        trying: false,
      };
    case 'WebhookForgotten':
      return { status: 'forgotten' };
    default:
      event satisfies never;
      return state;
  }
}

function factsOf({ deliveryId, endpointId, userId, event, body, queuedAt, arrivedAt }: Queued): Queued {
  return { deliveryId, endpointId, userId, event, body, queuedAt, arrivedAt };
}

function decide(command: DeliveryCommand, state: DeliveryState): readonly WebhookDeliveryEvent[] {
  switch (command.type) {
    case 'QueueDelivery': {
      const { type: _, at, ...facts } = command;
      return state.status === 'none' ? [{ type: 'WebhookQueued', data: { ...facts, queuedAt: at } }] : [];
    }
    case 'StartTry':
      return startTry(command, state);
    case 'RecordTry':
      return recordTry(command, state);
    case 'GiveUpDelivery': {
      if (state.status !== 'waiting') return [];
      const { deliveryId, endpointId, attempt } = state;
      const result = { ok: false, status: null, ms: 0, error: command.error, triedAt: command.at, nextTryAt: null };
      return [{ type: 'WebhookTried', data: { deliveryId, endpointId, attempt, ...result } }];
    }
    case 'RequeueDelivery':
      return requeue(command, state);
    case 'ForgetDelivery':
      return forget(command, state);
    default:
      return unreachable(command);
  }
}

export const deliveryDecider: Decider<DeliveryState, DeliveryCommand, WebhookDeliveryEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
};

function startTry({ asked = false, at }: Command<'StartTry'>, state: DeliveryState): readonly WebhookDeliveryEvent[] {
  if (state.status !== 'waiting' || (state.dueAt > at && (!asked || state.trying)))
    throw new DomainError('DELIVERY_NOT_DUE', 'This delivery is not due.');
  // Attempts interrupted by a crash count, too: an endpoint that crashes the process is not retried forever.
  const attempt = Math.min(state.attempt + 1, MAX_TRIES);
  return [
    {
      type: 'WebhookTryStarted',
      data: { deliveryId: state.deliveryId, endpointId: state.endpointId, attempt, startedAt: at },
    },
  ];
}

/** The outcome of an attempt that another worker has taken over is discarded. */
function recordTry(
  { type: _, at, final = false, ...outcome }: Command<'RecordTry'>,
  state: DeliveryState,
): readonly WebhookDeliveryEvent[] {
  if (state.status !== 'waiting' || !state.trying || state.attempt !== outcome.attempt) return [];
  const delay = RETRY_DELAYS_MS[outcome.attempt - 1];
  const nextTryAt = outcome.ok || final || delay === undefined ? null : later(at, delay);
  return [
    {
      type: 'WebhookTried',
      data: { deliveryId: state.deliveryId, endpointId: state.endpointId, ...outcome, triedAt: at, nextTryAt },
    },
  ];
}

function requeue({ at }: Command<'RequeueDelivery'>, state: DeliveryState): readonly WebhookDeliveryEvent[] {
  if (state.status === 'none' || state.status === 'forgotten')
    throw new DomainError('DELIVERY_NOT_FOUND', 'There is no such delivery.');
  if (state.status === 'waiting') throw new DomainError('DELIVERY_PENDING', 'This delivery is still being tried.');
  return [
    {
      type: 'WebhookRequeued',
      data: { deliveryId: state.deliveryId, endpointId: state.endpointId, userId: state.userId, requeuedAt: at },
    },
  ];
}

function forget(
  { deliveryId, endpointId, at }: Command<'ForgetDelivery'>,
  state: DeliveryState,
): readonly WebhookDeliveryEvent[] {
  if (state.status === 'forgotten') return [];
  const arrived = state.status === 'none' || state.arrivedAt === null ? {} : { arrivedAt: state.arrivedAt };
  return [{ type: 'WebhookForgotten', data: { deliveryId, endpointId, ...arrived, forgottenAt: at } }];
}
