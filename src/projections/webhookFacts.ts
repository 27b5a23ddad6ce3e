/** What a webhook tells of an event, from the documents of those it is about. */
import type { EventStore } from '../eventStore/eventStore.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getBoard } from './boards.ts';
import { getJob, type JobDocument } from './jobs.ts';

type Happened = Awaited<ReturnType<EventStore['readAll']>>['events'][number];

export type WebhookFacts = { readonly userId: string; readonly event: 'job.completed' | 'action.completed'; readonly data: object };

export const TOLD_TYPES = ['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'ActionCompleted'] as const;
const PATIENCE_MS = 10_000;

/** Null when there is nothing to tell any more. @throws when the read models are behind, so that it is tried again */
export async function webhookFacts(readModels: ReadModels, appUrl: string, { type, data, position }: Happened): Promise<WebhookFacts | null> {
  if (!(await readModels.reached(['jobs', 'boards'], position, PATIENCE_MS))) throw new Error('The read models are behind.');
  const { jobId, actionId, completedAt } = data as { readonly jobId: string; readonly actionId?: string; readonly completedAt: string };
  const job = await getJob(readModels, jobId);
  if (!job) return null;
  const { userId } = job.data;
  const told = jobFacts(job.data, appUrl);
  if (type !== 'ActionCompleted') return { userId, event: 'job.completed', data: { job: told } };
  const item = (await getBoard(readModels, jobId))?.data.items.find(({ id }) => id === actionId);
  if (!item) return null;
  const { id, title, category, impact } = item;
  return { userId, event: 'action.completed', data: { action: { id, title, category, impact, completed_at: completedAt }, job: told } };
}

function jobFacts(job: JobDocument, appUrl: string): object {
  return {
    id: job.jobId,
    url: job.url,
    host: job.host,
    status: job.status,
    score: job.score,
    findings: job.findings,
    high_impact: job.highImpact,
    action_count: job.actionCount,
    created_at: job.createdAt,
    completed_at: job.completedAt,
    link: `${appUrl.replace(/\/$/, '')}/dashboard/actions?jobId=${encodeURIComponent(job.jobId)}`,
  };
}
