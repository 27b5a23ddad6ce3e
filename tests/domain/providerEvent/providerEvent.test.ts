import { it } from 'vitest';
import type { IgnoreReason, ProviderEventEvent } from '../../../src/domain/providerEvent/events.ts';
import { providerEventDecider } from '../../../src/domain/providerEvent/providerEvent.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(providerEventDecider);
const at = '2026-03-10T12:00:00.000Z';
const eventId = 'evt_1';
const received: ProviderEventEvent = {
  type: 'ProviderEventReceived',
  data: {
    eventId,
    eventType: 'invoice.paid',
    createdAt: at,
    isLive: false,
    account: null,
    objectId: null,
    amount: null,
    currency: null,
    receivedAt: at,
    subject: { kind: 'invoice', invoiceId: 'in_1' },
    source: 'webhook',
  },
};
const ignored = (reason: IgnoreReason): ProviderEventEvent => ({
  type: 'ProviderEventIgnored',
  data: { eventId, userId: null, reason, ignoredAt: at },
});
const requeued: ProviderEventEvent = { type: 'ProviderEventRequeued', data: { eventId, requeuedAt: at } };
const requeue = { type: 'RequeueProviderEvent', at } as const;

it('an event that was given up is queued again, once, and then ends like any other', () => {
  given(received, ignored('given_up')).when(requeue).then(requeued);
  given(received, ignored('given_up'), requeued).when(requeue).thenNothing();
  given(received, ignored('given_up'), requeued)
    .when({ type: 'IgnoreProviderEvent', userId: null, reason: 'gone', at })
    .then(ignored('gone'));
});

it('an event that ended otherwise, or never came, is not queued again', () => {
  given(received, ignored('not_ours')).when(requeue).thenRefused('WORK_NOT_RETRYABLE');
  given(received, {
    type: 'ProviderEventApplied',
    data: { eventId, userId: 'ann', outcome: 'recorded', appliedAt: at },
  })
    .when(requeue)
    .thenRefused('WORK_NOT_RETRYABLE');
  given().when(requeue).thenRefused('WORK_NOT_RETRYABLE');
});
