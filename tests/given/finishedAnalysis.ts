/** A job completed through its commands, with findings, a plan and its file. */
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { writeReportFile } from '../../src/commands/job/writeReportFile.ts';
import { generatePlan } from '../../src/commands/plan/generatePlan.ts';
import type { ActionItem } from '../../src/domain/plan/events.ts';
import { actionItem } from './analysis.ts';
import { decideOn, workOn } from './audit/auditedJob.ts';
import { findingsOf } from './audit/runs.ts';
import { type Product, userOf, withAdmin } from './commands.ts';
import { followUpWith } from './followUp.ts';

export const FINDINGS = findingsOf(
  '<!doctype html><html lang="en"><body><h3>Tea</h3><img src="/a.png"></body></html>',
).text;

export type FinishedJob = {
  readonly made: Product;
  readonly jobId: string;
  readonly userId: string;
  /** The text of `action-items.md`. */
  readonly file: string;
};

type Given = {
  readonly made?: Product;
  readonly items?: readonly ActionItem[] | null;
  readonly findings?: string | null;
  /** Default: it has finished. */
  readonly end?: boolean;
};

export async function finishedAnalysis(given: Given = {}): Promise<FinishedJob> {
  const { items = [actionItem('title-missing'), actionItem('gone')], findings = FINDINGS, end = true } = given;
  const made = given.made ?? (await withAdmin());
  const userId = await userOf(made, `${(await made.log()).length}@example.com`);
  const sites = [{ url: 'https://example.com/', host: 'example.com' }];
  const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 50, maxMs: 1 } });
  const jobId = jobIds[0] ?? '';
  const file = items === null ? '' : followUpWith().itemsFile(items);
  await workOn(made, jobId);
  if (findings !== null)
    await writeReportFile(made.context(), { jobId, userId, name: 'findings.json', text: findings });
  if (items !== null) {
    await generatePlan(made.context(), { jobId, userId, by: 'AI', items });
    await writeReportFile(made.context(), { jobId, userId, name: 'action-items.md', text: file });
  }
  if (end) await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
  return { made, jobId, userId, file };
}
