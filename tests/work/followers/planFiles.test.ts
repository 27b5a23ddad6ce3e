import { describe, expect, it } from 'vitest';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { readReportFile, writeReportFile } from '../../../src/commands/job/writeReportFile.ts';
import { generatePlan } from '../../../src/commands/plan/generatePlan.ts';
import { regeneratePlan } from '../../../src/commands/plan/regeneratePlan.ts';
import { createPlanFiles } from '../../../src/work/followers/planFiles.ts';
import { actionItem } from '../../given/analysis.ts';
import { decideOn, workOn } from '../../given/audit/auditedJob.ts';
import { findingsOf } from '../../given/audit/runs.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { followUpWith } from '../../given/followUp.ts';
import { followLog } from '../../given/work/following.ts';

const FINDINGS = findingsOf('<!doctype html><html lang="en"><body><h3>Tea</h3></body></html>').text;
const followUp = followUpWith();
const follow = (made: Product) =>
  followLog(made.store, createPlanFiles({ context: made.context, itemsFile: followUp.itemsFile }));

async function finished(): Promise<{ made: Product; jobId: string; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const sites = [{ url: 'https://example.com/', host: 'example.com' }];
  const jobId =
    (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1 } })).jobIds[0] ?? '';
  await workOn(made, jobId);
  await writeReportFile(made.context(), { jobId, userId, name: 'findings.json', text: FINDINGS });
  await generatePlan(made.context(), { jobId, userId, by: 'AI', items: [actionItem('gone')] });
  await writeReportFile(made.context(), { jobId, userId, name: 'action-items.md', text: 'before' });
  await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
  return { made, jobId, userId };
}

describe('the file of items generated again', () => {
  it('is written when the command crashed before it, and not twice', async () => {
    const expected = followUp.itemsFile((await followUp.recommend(FINDINGS)).items);
    let mended = 0;
    await atEveryCrash(async (breaking) => {
      const { made, jobId, userId } = await finished();
      await orCrash(regeneratePlan(made.context('command-1', breaking(made.store)), followUp, { jobId, userId }));
      const anew = (await made.types('plan-')).includes('PlanRegenerated');
      const left = await readReportFile(made.store, jobId, 'action-items.md');
      await follow(made);
      expect(await readReportFile(made.store, jobId, 'action-items.md')).toBe(anew ? expected : 'before');
      if (anew && left === 'before') mended += 1;
      const before = (await made.log()).length;
      await follow(made);
      expect(await made.log()).toHaveLength(before);
    });
    expect(mended).toBeGreaterThan(0);
  });

  it('is not written when the job was deleted meanwhile', async () => {
    const { made, jobId, userId } = await finished();
    await regeneratePlan(made.context(), followUp, { jobId, userId });
    const [regenerated] = (await made.log()).filter(({ type }) => type === 'PlanRegenerated');
    const follower = createPlanFiles({ context: made.context, itemsFile: followUp.itemsFile });
    await deleteJob(made.context(), { jobId });
    await follower.follow(regenerated!, new AbortController().signal);
    expect(await made.types('report-')).toEqual([]);
  });
});
