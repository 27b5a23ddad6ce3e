import { describe, it } from 'vitest';
import {
  type DeliveryCommand,
  deliveryDecider,
  MAX_TRIES,
  RETRY_DELAYS_MS,
  TRY_LEASE_MS,
} from '../../../src/domain/webhooks/delivery.ts';
import type { WebhookDeliveryEvent } from '../../../src/domain/webhooks/events.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(deliveryDecider);
const START = Date.parse('2026-03-01T00:00:00.000Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const ids = { deliveryId: 'delivery-1', endpointId: 'endpoint-1' };

const queued: WebhookDeliveryEvent = {
  type: 'WebhookQueued',
  data: { ...ids, userId: 'user-1', event: 'test', body: '{}', queuedAt: at(0) },
};
const started = (attempt: number, ms: number): WebhookDeliveryEvent => ({
  type: 'WebhookTryStarted',
  data: { ...ids, attempt, startedAt: at(ms) },
});
const tried = (attempt: number, ms: number, nextTryAt: string | null, ok = false): WebhookDeliveryEvent => ({
  type: 'WebhookTried',
  data: { ...ids, attempt, ok, status: ok ? 200 : 500, ms: 7, error: null, triedAt: at(ms), nextTryAt },
});
const start = (ms: number): DeliveryCommand => ({ type: 'StartTry', at: at(ms) });
const record = (attempt: number, ms: number, ok = false): DeliveryCommand => ({
  type: 'RecordTry',
  attempt,
  ok,
  status: ok ? 200 : 500,
  ms: 7,
  error: null,
  at: at(ms),
});
const failedFirst = [queued, started(1, 0), tried(1, 5, at(60_005))];
const arrived = [queued, started(1, 0), tried(1, 5, null, true)];

describe('a delivery', () => {
  it('is attempted when due, not before', () => {
    given(queued).when(start(0)).then(started(1, 0));
    given(...failedFirst)
      .when(start(60_004))
      .thenRefused('DELIVERY_NOT_DUE');
    given(...failedFirst)
      .when(start(60_005))
      .then(started(2, 60_005));
  });
  it('in progress is left to its worker until the attempt times out', () => {
    given(queued, started(1, 0))
      .when(start(TRY_LEASE_MS - 1))
      .thenRefused('DELIVERY_NOT_DUE');
    given(queued, started(1, 0)).when(start(TRY_LEASE_MS)).then(started(2, TRY_LEASE_MS));
  });
  it('backs off after each attempt, and fails after the last', () => {
    for (const [nth, delay] of RETRY_DELAYS_MS.entries())
      given(queued, started(nth + 1, 0))
        .when(record(nth + 1, 5))
        .then(tried(nth + 1, 5, at(5 + delay)));
    given(queued, started(MAX_TRIES, 0))
      .when(record(MAX_TRIES, 5))
      .then(tried(MAX_TRIES, 5, null));
    given(queued, started(1, 0))
      .when(record(1, 5, true))
      .then(tried(1, 5, null, true));
  });
  it('records nothing from an attempt that was replaced or never began', () => {
    given(queued, started(1, 0), started(2, TRY_LEASE_MS)).when(record(1, TRY_LEASE_MS)).thenNothing();
    given(...failedFirst)
      .when(record(1, 6))
      .thenNothing();
    given(...arrived)
      .when(record(1, 6))
      .thenNothing();
  });
  it('can be given up while it waits, and not after its end', () => {
    const giveUp: DeliveryCommand = { type: 'GiveUpDelivery', error: 'No.', at: at(9) };
    const without = { ok: false, status: null, ms: 0, error: 'No.', triedAt: at(9), nextTryAt: null };
    given(...failedFirst)
      .when(giveUp)
      .then({ type: 'WebhookTried', data: { ...ids, attempt: 1, ...without } });
    given(...arrived)
      .when(giveUp)
      .thenNothing();
  });
  it('can be sent again after its end, and names its owner', () => {
    const requeue: DeliveryCommand = { type: 'RequeueDelivery', at: at(9) };
    const requeued: WebhookDeliveryEvent = {
      type: 'WebhookRequeued',
      data: { ...ids, userId: 'user-1', requeuedAt: at(9) },
    };
    given(...arrived)
      .when(requeue)
      .then(requeued);
    given(...arrived, requeued)
      .when(start(9))
      .then(started(1, 9));
    given(...failedFirst)
      .when(requeue)
      .thenRefused('DELIVERY_PENDING');
    given().when(requeue).thenRefused('DELIVERY_NOT_FOUND');
  });
});
