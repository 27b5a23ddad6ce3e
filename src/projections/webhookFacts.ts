/** The data of a webhook message, from the documents its event refers to. */
import { type EventOf, isOf } from '../domain/stored/eventOf.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getBoard } from './boards.ts';
import { getJob, type JobDocument } from './jobs.ts';

type Happened = EventOf<'JobCompleted' | 'JobPartiallyCompleted' | 'JobPartiallySucceeded' | 'ActionCompleted'>;

/** Read models that provide the data. */
export const MODELS_OF_FACTS: readonly string[] = ['jobs', 'boards'];

/** Null if there is nothing to report anymore. The models must have processed the event. */
export async function webhookFacts(readModels: ReadModels, appUrl: string, event: Happened): Promise<object | null> {
  const { jobId } = event.data;
  const job = await getJob(readModels, jobId);
  if (!job) return null;
  const facts = jobFacts(job.data, appUrl);
  if (!isOf(event, 'ActionCompleted')) return { job: facts };
  const { actionId, completedAt } = event.data;
  const item = (await getBoard(readModels, jobId))?.data.items.find(({ id }) => id === actionId);
  if (!item) return null;
  const { id, title, category, impact } = item;
  return { action: { id, title, category, impact, completed_at: completedAt }, job: facts };
}

function jobFacts(job: JobDocument, appUrl: string): object {
  return {
    id: job.jobId,
    url: job.url,
    host: job.host,
    status: job.status,
    reason: job.reason,
    score: job.score,
    not_judged: job.notJudged,
    settings: job.settings ?? null,
    findings: job.findings,
    high_impact: job.highImpact,
    action_count: job.actionCount,
    created_at: job.createdAt,
    completed_at: job.completedAt,
    link: `${appUrl.replace(/\/$/, '')}/dashboard/actions?jobId=${encodeURIComponent(job.jobId)}`,
  };
}
