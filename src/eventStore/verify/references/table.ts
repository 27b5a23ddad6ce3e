/** References between streams, one row each. */
import { PAYMENTS_WORKER } from '../../../domain/providerEvent/providerEvent.ts';
import { isOf } from '../../../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../eventStore.ts';
import { reference } from './reference.ts';

const account = (event: RecordedEvent): string | null =>
  isOf(event, 'AccountRegistered', 'AccountDeleted') ? event.data.userId : null;
const job = (event: RecordedEvent): string | null =>
  isOf(event, 'JobSubmitted', 'JobDeleted') ? event.data.jobId : null;

const isMoney = (event: RecordedEvent): boolean =>
  isOf(event, 'FundsAdded', 'PaymentRefunded', 'DisputeOpened', 'DisputeWon', 'DisputeLost') ||
  isOf(
    event,
    'SubscriptionStarted',
    'SubscriptionChanged',
    'SubscriptionRenewed',
    'SubscriptionPaymentFailed',
    'SubscriptionStatusChanged',
    'SubscriptionSuspended',
    'SubscriptionResumed',
    'SubscriptionEnded',
  );

/**
 * The provider event that the worker was processing. A purchase confirmed by the buyer's browser names none, and its
 * webhook may never have arrived.
 */
function providerEventOf(event: RecordedEvent): string | null {
  const { actor, correlationId } = event.metadata;
  return actor.kind === PAYMENTS_WORKER.kind && actor.id === PAYMENTS_WORKER.id && isMoney(event)
    ? correlationId
    : null;
}

export const TABLE = [
  reference({
    name: 'jobOwners',
    needs: (event) => (isOf(event, 'JobSubmitted') ? event.data.userId : null),
    gives: account,
    text: 'Neither the account that it belongs to nor the deletion of one is in the log.',
  }),
  reference({
    name: 'sessionOwners',
    needs: (event) => (isOf(event, 'SessionStarted') ? event.data.userId : null),
    gives: account,
    text: 'Neither the account that logged in nor the deletion of one is in the log.',
  }),
  reference({
    name: 'sharedJobs',
    needs: (event) => (isOf(event, 'ShareCreated') ? event.data.jobId : null),
    gives: job,
    text: 'Neither the job that it shares nor the deletion of one is in the log.',
  }),
  reference({
    name: 'consumedJobs',
    needs: (event) => (isOf(event, 'AnalysisConsumed') ? event.data.jobId : null),
    gives: job,
    text: 'Neither the job that was paid for nor the deletion of one is in the log.',
  }),
  reference({
    name: 'settledReservations',
    needs: (event) => (isOf(event, 'AnalysisConsumed', 'AnalysisReleased') ? event.data.jobId : null),
    gives: (event) => (isOf(event, 'AnalysisReserved') ? event.data.jobId : null),
    text: 'What it settles was never reserved.',
  }),
  reference({
    name: 'unlockedJobs',
    needs: (event) => (isOf(event, 'UnlockPaid') ? event.data.jobId : null),
    gives: (event) => (isOf(event, 'JobUnlocked', 'UnlockReturned', 'JobDeleted') ? event.data.jobId : null),
    isSettledLater: true,
    text: 'It was paid, and neither was its job unlocked nor was it given back.',
  }),
  reference({
    name: 'returnedPayments',
    needs: (event) =>
      isOf(event, 'PaymentRefunded', 'DisputeOpened')
        ? event.data.funds > 0
          ? event.data.paymentIntentId
          : null
        : null,
    gives: (event) => (isOf(event, 'FundsAdded') ? event.data.paymentIntentId : null),
    text: 'The payment that it gives back is not in the log.',
  }),
  reference({
    name: 'reportedPayments',
    needs: providerEventOf,
    gives: (event) => (isOf(event, 'ProviderEventReceived') ? event.id : null),
    text: 'The event of the payment provider that reported it is not in the log.',
  }),
  reference({
    name: 'decidedDisputes',
    needs: (event) => (isOf(event, 'DisputeWon', 'DisputeLost') ? event.data.disputeId : null),
    gives: (event) => (isOf(event, 'DisputeOpened') ? event.data.disputeId : null),
    text: 'The dispute that it decides was never opened.',
  }),
  reference({
    name: 'enrolments',
    needs: (event) => (isOf(event, 'SequenceEnrolled') ? event.data.sequenceId : null),
    gives: (event) => (isOf(event, 'SequenceCreated') ? event.data.sequenceId : null),
    text: 'The sequence that it enrols in is not in the log.',
  }),
];
