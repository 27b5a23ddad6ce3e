/** Generating the items and summary of a finished job again: from its findings, with its file, through every crash. */
import { describe, expect, it } from 'vitest';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { readReportFile } from '../../src/commands/job/writeReportFile.ts';
import { changeAction } from '../../src/commands/plan/changeAction.ts';
import { readPlan } from '../../src/commands/plan/generatePlan.ts';
import { regeneratePlan, rewriteSummary } from '../../src/commands/plan/regeneratePlan.ts';
import { createPlanFiles } from '../../src/work/followers/planFiles.ts';
import { atEveryCrash, orCrash } from '../given/commands.ts';
import { FINDINGS, type FinishedJob, finishedAnalysis } from '../given/finishedAnalysis.ts';
import { followUpWith } from '../given/followUp.ts';
import { followLog } from '../given/work/following.ts';

const followUp = followUpWith();

const fileOf = ({ made, jobId }: FinishedJob) => readReportFile(made.store, jobId, 'action-items.md');

describe('generating the items again', () => {
  it('takes them from the findings, keeps the progress, and writes their file', async () => {
    const job = await finishedAnalysis();
    const { made, jobId, userId } = job;
    await changeAction(made.context(), {
      type: 'ChangeAction',
      jobId,
      actionId: 'title-missing',
      status: 'completed',
      notes: 'Done by Ada.',
    });
    const { items } = await regeneratePlan(made.context(), followUp, { jobId, userId });
    const expected = (await followUp.recommend(FINDINGS)).items;
    expect(items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(items.find(({ id }) => id === 'title-missing')).toMatchObject({
      status: 'completed',
      notes: 'Done by Ada.',
    });
    expect(await fileOf(job)).toBe(followUp.itemsFile(expected));
    expect((await made.types('plan-')).at(-1)).toBe('PlanRegenerated');
  });

  it('creates them where the job ended without any', async () => {
    const job = await finishedAnalysis({ items: null });
    const { made, jobId, userId } = job;
    const { items } = await regeneratePlan(made.context(), followUp, { jobId, userId });
    expect(items.length).toBeGreaterThan(3);
    expect(await fileOf(job)).toBe(followUp.itemsFile(items));
    expect(await made.types('plan-')).toEqual(['PlanGenerated']);
  });

  it('happens once per command id', async () => {
    const { made, jobId, userId } = await finishedAnalysis();
    for (let nth = 0; nth < 2; nth += 1) await regeneratePlan(made.context('command-1'), followUp, { jobId, userId });
    expect(await made.types('plan-')).toEqual(['PlanGenerated', 'PlanRegenerated']);
  });

  it('requires a job that has ended, with findings', async () => {
    const { made, jobId, userId } = await finishedAnalysis({ items: [], findings: null });
    const tooOld = {
      code: 'ANALYSIS_TOO_OLD',
      message: 'This analysis is too old. Please run a new analysis to generate actions.',
    };
    await expect(regeneratePlan(made.context(), followUp, { jobId, userId })).rejects.toMatchObject(tooOld);
    await expect(rewriteSummary(made.context(), followUp, { jobId, userId })).rejects.toMatchObject(tooOld);
    await expect(regeneratePlan(made.context(), followUp, { jobId: 'none', userId })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    const running = await submitJobs(made.context(), {
      userId,
      sites: [{ url: 'https://two.example/', host: 'two.example' }],
      bounds: { maxPages: 50, maxMs: 1 },
    });
    await expect(
      regeneratePlan(made.context(), followUp, { jobId: running.jobIds[0] ?? '', userId }),
    ).rejects.toMatchObject({ code: 'JOB_NOT_FINISHED' });
  });

  it('restores nothing of a job that is deleted while the analyst works', async () => {
    const { made, jobId, userId } = await finishedAnalysis();
    const late = followUpWith();
    const recommend = async (findings: string) => {
      await deleteJob(made.context(), { jobId });
      return late.recommend(findings);
    };
    await expect(regeneratePlan(made.context(), { ...late, recommend }, { jobId, userId })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    const left = (await made.log()).filter((event) => event.stream.endsWith(jobId));
    expect(new Set(left.map(({ stream }) => stream))).toEqual(new Set([`job-${jobId}`]));
  });

  it('is finished by a repeat or by the follower after a crash', async () => {
    for (const mend of ['repeat', 'follow'] as const) {
      const deaths = await atEveryCrash(async (breaking) => {
        const job = await finishedAnalysis();
        const { made, jobId, userId } = job;
        await orCrash(regeneratePlan(made.context('command-1', breaking(made.store)), followUp, { jobId, userId }));
        if (mend === 'repeat') await regeneratePlan(made.context('command-1'), followUp, { jobId, userId });
        else await followLog(made.store, createPlanFiles({ context: made.context, itemsFile: followUp.itemsFile }));
        const items = (await readPlan(made.store, jobId))?.items ?? [];
        expect(await fileOf(job)).toBe(followUp.itemsFile(items));
        const anew = (await made.types('plan-')).filter((type) => type === 'PlanRegenerated').length;
        expect(anew).toBeLessThanOrEqual(1);
        if (mend === 'repeat') expect(anew).toBe(1);
      });
      expect(deaths).toBe(4);
    }
  });
});

describe('the executive summary', () => {
  it('is generated again from the findings and the items, without the owner’s notes', async () => {
    const { made, jobId, userId } = await finishedAnalysis();
    await changeAction(made.context(), { type: 'ChangeAction', jobId, actionId: 'gone', notes: 'a private note' });
    const seen: string[] = [];
    const summarise: typeof followUp.summarise = (findings, items) => {
      seen.push(JSON.stringify(items));
      return followUp.summarise(findings, items);
    };
    const { text, by } = await rewriteSummary(made.context(), { ...followUp, summarise }, { jobId, userId });
    expect(by).toBe('Built-in analyst');
    expect(await readReportFile(made.store, jobId, 'executive-summary.md')).toBe(text);
    expect(seen.join()).toContain('gone');
    expect(seen.join()).not.toContain('a private note');
  });
});

describe('an item of a deleted audit', () => {
  it('is not found', async () => {
    const { made, jobId } = await finishedAnalysis();
    await deleteJob(made.context(), { jobId });
    const late = changeAction(made.context(), { type: 'ChangeAction', jobId, actionId: 'gone', status: 'completed' });
    await expect(late).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});
