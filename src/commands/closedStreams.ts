import { accountStream } from '../domain/account/events.ts';
import { exportFileStream } from '../domain/accountExport/events.ts';
import { apiKeyUseStream } from '../domain/apiKeys/events.ts';
import { jobStream } from '../domain/job/events.ts';
import { type EventType, isOf } from '../domain/stored/eventOf.ts';
import { monthOfStream } from '../domain/tally/events.ts';
import { webhookSecretStream } from '../domain/webhooks/events.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { contentStreams } from './job/deleteJob.ts';

/**
 * The streams that are deleted permanently when this event is written (`deleteJob`, the sweep of lost reservations,
 * `voidAccount`, `eraseAccount`, the commands of account exports), so that a copy of the log keeps them closed although
 * it contains none of their events.
 */
export function streamsClosedWith(event: Pick<RecordedEvent, 'type' | 'data' | 'unreadable'>): readonly string[] {
  if (isOf(event, 'JobDeleted')) return contentStreams(event.data.jobId);
  if (isOf(event, 'AnalysisReleased')) return event.data.reason === 'job_missing' ? [jobStream(event.data.jobId)] : [];
  if (isOf(event, 'AccountExportFailed', 'AccountExportRemoved')) return [exportFileStream(event.data.fileId)];
  if (isOf(event, 'ApiKeysClosed')) return event.data.keyIds.map(apiKeyUseStream);
  if (isOf(event, 'WebhookRemoved')) return [webhookSecretStream(event.data.endpointId)];
  if (isOf(event, 'WebhooksClosed')) return event.data.endpointIds.map(webhookSecretStream);
  return isOf(event, 'EmailRefused') ? [accountStream(event.data.userId)] : [];
}

/**
 * Events before these in their streams may have been erased (`keepLastOnly`, `noteApiKeyUse`, `forgetPromptTrial`):
 * these are the facts that stay.
 */
const STAY: readonly EventType[] = [
  'AccountDeleted',
  'AccountExportRemoved',
  'ApiKeyUsed',
  'ApiKeysClosed',
  'JobDeleted',
  'PageRecordsRemoved',
  'PromptTrialForgotten',
  'SecondFactorRemoved',
  'SessionEnded',
  'LogInClosed',
  'WebhookForgotten',
  'WebhookSecretRotated',
  'WebhooksClosed',
];

/** Whether an event may be the first remaining one of its stream. */
const mayStandFirst = ({ type }: Pick<RecordedEvent, 'type'>): boolean => STAY.some((one) => one === type);

/**
 * Streams that are deleted permanently, without an event in them, once no longer needed: a crawl's intermediate data,
 * responses kept for repeated requests, and tallies.
 */
const isWorkingData = (stream: string): boolean => /^(crawl|request)-/.test(stream) || monthOfStream(stream) !== null;

/** What the product erases itself, for verifying that nothing else is missing. */
export const ERASURE = { mayStandFirst, closes: streamsClosedWith, isWorkingData };
