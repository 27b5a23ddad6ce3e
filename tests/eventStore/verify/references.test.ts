/** References between streams: each check with a log that satisfies it and one that does not. */
import { describe, expect, it } from 'vitest';
import { PAYMENTS_WORKER } from '../../../src/domain/providerEvent/providerEvent.ts';
import type { EventType } from '../../../src/domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { toPosition } from '../../../src/eventStore/positions.ts';
import { REFERENCE_CHECKS } from '../../../src/eventStore/verify/references/all.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const EARLY = '2026-03-01T00:00:00.000Z';
const LATE = '2026-03-03T00:00:00.000Z';

type Act = readonly [type: EventType, data: object, stream?: string, over?: Partial<RecordedEvent>];

/** The faults of one check in a log of these events, as the positions in it. */
function faultsOf(name: string, acts: readonly Act[], end = LATE): readonly number[] {
  const check = REFERENCE_CHECKS.find((each) => each.name === name)?.begin();
  acts.forEach(([type, data, stream = 'some-stream', over = {}], index) => {
    const event: RecordedEvent = {
      id: 'id',
      type,
      data,
      stream,
      revision: 0n,
      position: toPosition(BigInt(index)),
      metadata: metadataAt(EARLY),
      ...over,
    };
    check?.take(event);
  });
  return (check?.end(end) ?? []).map(({ position }) => Number(position));
}

const job = { jobId: 'j', userId: 'u' };
const payment = { userId: 'u', paymentIntentId: 'p', amount: 5, currency: 'usd', funds: 5, balance: 5 };
/** Written by the payments worker when it had processed a provider's event. */
const reported = { metadata: { ...metadataAt(EARLY, PAYMENTS_WORKER), correlationId: 'received' } };
const received: Act = ['ProviderEventReceived', { eventId: 'evt_1' }, 'stripe-evt_1', { id: 'received' }];
const submitted: Act = ['JobSubmitted', job];
const reserved: Act = ['AnalysisReserved', job];

/** Each with what is missing in the second list, at its first event. */
const CASES: readonly (readonly [name: string, sound: readonly Act[], broken: readonly Act[]])[] = [
  [
    'jobOwners',
    [['AccountRegistered', { userId: 'u' }], submitted],
    [submitted, ['AccountRegistered', { userId: 'other' }]],
  ],
  ['jobOwners', [submitted, ['AccountDeleted', { userId: 'u' }]], [submitted]],
  [
    'sessionOwners',
    [
      ['AccountRegistered', { userId: 'u' }],
      ['SessionStarted', { userId: 'u', sessionId: 's' }],
    ],
    [['SessionStarted', { userId: 'u', sessionId: 's' }]],
  ],
  [
    'sharedJobs',
    [submitted, ['ShareCreated', job]],
    [
      ['ShareCreated', job],
      ['JobSubmitted', { ...job, jobId: 'other' }],
    ],
  ],
  [
    'sharedJobs',
    [
      ['ShareCreated', job],
      ['JobDeleted', job],
    ],
    [['ShareCreated', job]],
  ],
  ['consumedJobs', [submitted, ['AnalysisConsumed', job]], [['AnalysisConsumed', job]]],
  ['settledReservations', [reserved, ['AnalysisReleased', job]], [['AnalysisReleased', job]]],
  [
    'unlockedJobs',
    [
      ['UnlockPaid', job],
      ['JobUnlocked', job],
    ],
    [['UnlockPaid', job]],
  ],
  [
    'unlockedJobs',
    [
      ['UnlockPaid', job],
      ['UnlockReturned', job],
    ],
    [
      ['UnlockPaid', job],
      ['JobUnlocked', { ...job, jobId: 'other' }],
    ],
  ],
  [
    'returnedPayments',
    [
      ['FundsAdded', payment],
      ['PaymentRefunded', payment],
    ],
    [['PaymentRefunded', payment]],
  ],
  ['returnedPayments', [['PaymentRefunded', { ...payment, funds: 0 }]], [['DisputeOpened', payment]]],
  [
    'reportedPayments',
    [received, ['FundsAdded', payment, 'billing-u', reported]],
    [
      ['FundsAdded', payment, 'billing-u', reported],
      ['ProviderEventReceived', { eventId: 'evt_2' }, 'stripe-evt_2', { id: 'other' }],
    ],
  ],
  [
    'reportedPayments',
    // The buyer's browser confirmed it: no webhook is needed.
    [['FundsAdded', payment, 'billing-u']],
    [['SubscriptionRenewed', { userId: 'u' }, 'billing-u', reported]],
  ],
  [
    'decidedDisputes',
    [
      ['DisputeOpened', { ...payment, disputeId: 'd' }],
      ['DisputeLost', { ...payment, disputeId: 'd' }],
    ],
    [['DisputeWon', { ...payment, disputeId: 'd' }]],
  ],
  [
    'enrolments',
    [
      ['SequenceCreated', { sequenceId: 's' }],
      ['SequenceEnrolled', { sequenceId: 's' }],
    ],
    [['SequenceEnrolled', { sequenceId: 's' }]],
  ],
  [
    'reservations',
    [reserved, submitted, ['JobCompleted', job], ['AnalysisConsumed', job]],
    [reserved, submitted, ['JobFailed', job]],
  ],
  ['reservations', [reserved, submitted], [reserved]],
  ['reservations', [reserved, ['AnalysisReleased', job]], [reserved, ['JobDeleted', job]]],
  [
    'streamNames',
    [
      ['JobSubmitted', job, 'job-j'],
      ['AccountRegistered', { userId: 'u' }, 'account-u'],
    ],
    [['JobSubmitted', job, 'job-other']],
  ],
  [
    'streamNames',
    [
      ['JobsDeleted', { userId: 'u' }, 'job-deletions-u'],
      ['ApiKeyUsed', { keyId: 'k' }, 'api-key-use-k'],
    ],
    [['ApiKeyUsed', { keyId: 'k' }, 'api-key-use-other']],
  ],
];

describe('references between streams', () => {
  it.each(CASES)('%s', (name, sound, broken) => {
    expect(faultsOf(name, sound)).toEqual([]);
    expect(faultsOf(name, broken)).toEqual([0]);
  });

  it('are each tested here', () => {
    expect([...new Set(CASES.map(([name]) => name))].sort()).toEqual(REFERENCE_CHECKS.map(({ name }) => name).sort());
  });

  it('that a follower completes later may be missing for a day', () => {
    expect(faultsOf('unlockedJobs', [['UnlockPaid', job]], EARLY)).toEqual([]);
    expect(faultsOf('reservations', [reserved], EARLY)).toEqual([]);
    expect(faultsOf('reservations', [reserved, submitted, ['JobCompleted', job]], EARLY)).toEqual([]);
  });
});
