/** The worker's events of a job, without an audit. */
import { handle } from '../../../src/commands/handle.ts';
import { writeReportFile } from '../../../src/commands/job/writeReportFile.ts';
import { generatePlan } from '../../../src/commands/plan/generatePlan.ts';
import { type JobCommand, jobDecider } from '../../../src/domain/job/decide.ts';
import { JOB_STEPS, type JobStep, jobStream } from '../../../src/domain/job/events.ts';
import type { Product } from '../commands.ts';

export async function decideOn(
  { context, store }: Product,
  jobId: string,
  ...commands: readonly JobCommand[]
): Promise<void> {
  for (const command of commands) await handle(context(undefined, store), jobDecider, jobStream(jobId), command);
}

/** Starts the job and finishes the steps before the given one, which is started. Without one: finishes all. */
export async function workOn(
  made: Product,
  jobId: string,
  until?: JobStep,
  verdict: Partial<Extract<JobCommand, { readonly type: 'RecordReport' }>> = {},
): Promise<void> {
  const at = made.now();
  await decideOn(made, jobId, { type: 'StartJob', at });
  for (const step of JOB_STEPS) {
    await decideOn(made, jobId, { type: 'StartStep', step, at });
    if (step === until) return;
    if (step === 'report')
      await decideOn(made, jobId, {
        type: 'RecordReport',
        score: 80,
        pagesAudited: 3,
        findings: 5,
        highImpact: 1,
        files: ['pages.csv'],
        ...verdict,
        at,
      });
    await decideOn(made, jobId, { type: 'EndStep', step, at });
  }
}

/** A completed job with a file and a plan. */
export async function completeJob(made: Product, jobId: string, userId: string): Promise<void> {
  await workOn(made, jobId);
  await writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text: 'url' });
  await generatePlan(made.context(), { jobId, userId, by: 'Built-in analyst', items: [] });
  await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
}

export const failJob = (made: Product, jobId: string): Promise<void> =>
  decideOn(made, jobId, { type: 'FailJob', code: 'SITE_DNS', reason: 'Not found.', at: made.now() });
