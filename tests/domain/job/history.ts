/** A job's events up to a certain point, for specs. */
import { JOB_STEPS, type JobEvent, type JobStep } from '../../../src/domain/job/events.ts';

export const jobId = 'job-1';
export const userId = 'user-1';
export const bounds = { maxPages: 50, maxMs: 180_000 };

/** Seconds after the start of the test's day. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();

export const submitted: readonly JobEvent[] = [
  {
    type: 'JobSubmitted',
    data: {
      jobId,
      userId,
      url: 'https://example.com/',
      host: 'example.com',
      bounds,
      access: 'preview',
      submittedAt: at(0),
    },
  },
  { type: 'JobQueued', data: { jobId, queuedAt: at(0) } },
];

export const started = (attempt = 1): JobEvent => ({ type: 'JobStarted', data: { jobId, attempt, startedAt: at(1) } });
export const stepStarted = (step: JobStep): JobEvent => ({
  type: 'JobStepStarted',
  data: { jobId, step, startedAt: at(2) },
});
export const stepEnded = (step: JobStep): JobEvent => ({ type: 'JobStepEnded', data: { jobId, step, endedAt: at(3) } });
export const reportReady: JobEvent = {
  type: 'JobReportReady',
  data: {
    jobId,
    score: 71,
    pagesAudited: 12,
    findings: 30,
    highImpact: 4,
    files: ['seo-audit-report.md'],
    readyAt: at(4),
  },
};

/** Running, with that step begun. */
export function during(step: JobStep): readonly JobEvent[] {
  return [...submitted, started(), ...ended(JOB_STEPS.slice(0, JOB_STEPS.indexOf(step))), stepStarted(step)];
}

/** All steps have ended, the end of the job itself is still to be recorded. */
export const through: readonly JobEvent[] = [...submitted, started(), ...ended(JOB_STEPS)];

export const completed: readonly JobEvent[] = [
  ...through,
  { type: 'JobCompleted', data: { jobId, completedAt: at(9) } },
];
export const cancelled: readonly JobEvent[] = [
  ...during('crawl'),
  { type: 'JobCancelled', data: { jobId, by: 'user:user-1', cancelledAt: at(9) } },
];
export const failed: readonly JobEvent[] = [
  ...during('crawl'),
  { type: 'JobFailed', data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: at(9) } },
];

function ended(steps: readonly JobStep[]): readonly JobEvent[] {
  return steps.flatMap((step) => [stepStarted(step), ...(step === 'report' ? [reportReady] : []), stepEnded(step)]);
}
