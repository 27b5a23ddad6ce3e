import { accountStream } from '../domain/account/account.ts';
import { apiKeyUseStream } from '../domain/apiKeys/apiKeys.ts';
import { jobStream } from '../domain/job/job.ts';
import { webhookSecretStream } from '../domain/webhooks/webhooks.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { contentStreams } from './job/deleteJob.ts';

/**
 * The streams that are deleted for good when this event is written (`deleteJob`, the sweep of lost reservations,
 * `voidAccount`, `eraseAccount`), so that a copy of the log keeps them closed although nothing of them is in it.
 */
export function streamsClosedWith({ type, data }: RecordedEvent): readonly string[] {
  const { jobId, userId, reason, keyIds, endpointId, endpointIds } = data as {
    readonly jobId: string;
    readonly userId: string;
    readonly reason?: string;
    readonly keyIds: readonly string[];
    readonly endpointId: string;
    readonly endpointIds: readonly string[];
  };
  switch (type) {
    case 'JobDeleted':
      return contentStreams(jobId);
    case 'AnalysisReleased':
      return reason === 'job_missing' ? [jobStream(jobId)] : [];
    case 'ApiKeysClosed':
      return keyIds.map(apiKeyUseStream);
    case 'WebhookRemoved':
      return [webhookSecretStream(endpointId)];
    case 'WebhooksClosed':
      return endpointIds.map(webhookSecretStream);
    case 'EmailRefused':
      return [accountStream(userId)];
    default:
      return [];
  }
}
