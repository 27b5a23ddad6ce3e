import { describe, expect, it } from 'vitest';
import { JOB_STEPS, type JobEvent, type JobStep } from '../../src/domain/job/events.ts';
import type { PlanEvent } from '../../src/domain/plan/events.ts';
import type { ReportPartWritten } from '../../src/domain/report/events.ts';
import type { EventOf } from '../../src/domain/stored/eventOf.ts';
import { getJob, type JobDocument, jobs, listJobs, listOpenJobs } from '../../src/projections/jobs.ts';
import {
  at,
  bounds,
  cancelled,
  completed,
  during,
  failed,
  jobId,
  reportReady,
  started,
  stepEnded,
  submitted,
  through,
  userId,
} from '../domain/job/history.ts';
import { actionItem } from '../given/analysis.ts';
import { project, recorded } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

type PlanMade = Extract<PlanEvent, { readonly type: 'PlanGenerated' | 'PlanRegenerated' }>;
type Handled = EventOf<(typeof jobs.handles)[number]>;
type Given = JobEvent | ReportPartWritten | PlanMade | Extract<PlanEvent, { readonly type: 'PlanExtended' }>;
const jobsAfter = (...events: readonly Given[]) => project(jobs, ...(events as readonly Handled[]));
const jobAfter = (...events: readonly Given[]): JobDocument | undefined => jobsAfter(...events)[jobId];
const part = (file: string, index: number, parts: number): ReportPartWritten => ({
  type: 'ReportPartWritten',
  data: { jobId, userId, file, part: index, parts, text: 'x', writtenAt: at(4) },
});

describe('the jobs read model', () => {
  it('shows a submitted job', () => {
    expect(jobAfter(...submitted.slice(0, 1))).toEqual({
      jobId,
      userId,
      url: 'https://example.com/',
      host: 'example.com',
      status: 'pending',
      createdAt: at(0),
      startedAt: null,
      completedAt: null,
      folderPath: null,
      actionCount: 0,
      planned: null,
      actionGenerationStatus: 'pending',
      parsingStatus: 'pending',
      stages: {},
      pagesDone: 0,
      pagesKnown: 0,
      maxPages: 50,
      score: null,
      formula: null,
      notJudged: null,
      shut: false,
      givenBack: null,
      findings: null,
      highImpact: null,
      files: [],
      analyst: null,
      access: 'preview',
      reason: null,
      reasonCode: null,
      finished: false,
    });
  });

  it('counts items that the owner generated after the end, and leaves the worker’s items to the worker', () => {
    const anew: PlanMade = {
      type: 'PlanRegenerated',
      data: { jobId, by: 'AI', count: 5, items: [], kept: {}, regeneratedAt: at(9) },
    };
    const made: PlanMade = {
      type: 'PlanGenerated',
      data: { jobId, userId, by: 'AI', count: 7, items: [], generatedAt: at(9) },
    };
    expect(jobAfter(...completed, anew)).toMatchObject({
      actionCount: 5,
      actionGenerationStatus: 'completed',
      parsingStatus: 'completed',
    });
    const optional = { ...actionItem('extra'), optional: true };
    const mixed: PlanMade = { ...anew, data: { ...anew.data, items: [actionItem('task'), optional] } };
    const more = { type: 'PlanExtended', data: { jobId, items: [optional] } } as const;
    expect(jobAfter(...completed, mixed, more)).toMatchObject({ actionCount: 3 });
    expect(jobAfter(...failed, made)).toMatchObject({
      actionCount: 7,
      actionGenerationStatus: 'completed',
      status: 'failed',
    });
    expect(jobAfter(...during('actions'), made)).toMatchObject({
      actionCount: 0,
      actionGenerationStatus: 'processing',
    });
  });

  it('goes from queued to starting', () => {
    expect(jobAfter(...submitted)).toMatchObject({ status: 'queued', startedAt: null });
    expect(jobAfter(...submitted, started())).toMatchObject({ status: 'starting', startedAt: at(1) });
  });

  it('names the status of each step', () => {
    const statuses = JOB_STEPS.map((step) => [step, jobAfter(...during(step))?.status]);
    expect(statuses).toEqual([
      ['discover', 'executing_parallel_streams'],
      ['crawl', 'executing_parallel_streams'],
      ['checks', 'executing_step1'],
      ['evidence', 'executing_step2'],
      ['report', 'executing_step2_format'],
      ['recommendations', 'executing_step3'],
      ['summary', 'executing_convergence'],
      ['actions', 'generating_actions'],
      ['parse_actions', 'executing_actions_parsing'],
    ] satisfies [JobStep, JobDocument['status']][]);
  });

  it('records when each step began and ended', () => {
    expect(jobAfter(...during('crawl'))?.stages).toEqual({
      discover: { startedAt: at(2), endedAt: at(3) },
      crawl: { startedAt: at(2), endedAt: null },
    });
  });

  it('says of a job without a slot that it waits for a slow site, until it has one again or ends', () => {
    const noSlot: JobEvent = { type: 'JobQueued', data: { jobId, queuedAt: at(5), slowSite: true } };
    const waiting = jobAfter(...during('crawl'), noSlot);
    expect(waiting).toEqual({ ...jobAfter(...during('crawl')), reason: 'Waiting for a slow site' });
    expect(jobAfter(...during('crawl'), noSlot, started(2))).toEqual(jobAfter(...during('crawl')));
    expect(jobAfter(...during('crawl'), noSlot, ...cancelled.slice(-1))).toMatchObject({ reason: 'Cancelled' });
  });

  it('does not change when another worker takes the job over', () => {
    const again: JobEvent = { type: 'JobStarted', data: { jobId, attempt: 2, startedAt: at(60) } };
    expect(jobAfter(...during('checks'), again)).toEqual(jobAfter(...during('checks')));
  });

  it('shows the pages, never more known than the limit', () => {
    const progress = (pagesDone: number, pagesKnown: number): JobEvent => ({
      type: 'JobProgressed',
      data: { jobId, step: 'crawl', pagesDone, pagesKnown, at: at(5) },
    });
    expect(jobAfter(...during('crawl'), progress(7, 20))).toMatchObject({ pagesDone: 7, pagesKnown: 20 });
    expect(jobAfter(...during('crawl'), progress(7, 900))).toMatchObject({ pagesDone: 7, pagesKnown: 50 });
  });

  it('shows the outcome of the report, and names the audit', () => {
    expect(jobAfter(...during('report'), reportReady)).toMatchObject({
      score: 71,
      findings: 30,
      highImpact: 4,
      pagesDone: 12,
      pagesKnown: 12,
      files: ['seo-audit-report.md'],
      folderPath: 'example.com/2026-03-01T00-00-04-000Z',
    });
  });

  it('lists a file once, when it is complete', () => {
    expect(jobAfter(...during('report'), part('pages.csv', 0, 2))?.files).toEqual([]);
    const both = [part('pages.csv', 0, 2), part('pages.csv', 1, 2)];
    expect(jobAfter(...during('report'), ...both)?.files).toEqual(['pages.csv']);
    expect(
      jobAfter(...during('report'), ...both, reportReady, part('executive-summary.md', 0, 1), part('pages.csv', 0, 1))
        ?.files,
    ).toEqual(['pages.csv', 'seo-audit-report.md', 'executive-summary.md']);
  });

  it('follows the action items', () => {
    expect(jobAfter(...during('actions'))).toMatchObject({
      actionGenerationStatus: 'processing',
      parsingStatus: 'pending',
    });
    const generated: JobEvent = { type: 'JobActionsGenerated', data: { jobId, count: 8, generatedAt: at(6) } };
    expect(jobAfter(...during('actions'), generated)).toMatchObject({
      actionGenerationStatus: 'completed',
      actionCount: 8,
    });
    // As earlier versions did it: the count has the suggestions, which were only marked by their reason.
    const suggestion = actionItem('extra', { reason: 'A suggestion that costs no points.' });
    const plan: PlanMade = {
      type: 'PlanGenerated',
      data: { jobId, userId, by: 'AI', count: 8, items: [actionItem('task'), suggestion], generatedAt: at(6) },
    };
    const rest = { type: 'PlanExtended', data: { jobId, items: [suggestion] } } as const;
    expect(jobAfter(...during('actions'), plan, rest, generated)).toMatchObject({ actionCount: 6 });
    expect(jobAfter(...during('parse_actions'))).toMatchObject({ parsingStatus: 'processing' });
    expect(jobAfter(...during('parse_actions'), stepEnded('parse_actions'))).toMatchObject({
      parsingStatus: 'completed',
    });
  });

  it('names the author of the summary', () => {
    expect(
      jobAfter(...during('summary'), {
        type: 'JobSummaryWritten',
        data: { jobId, by: 'Grok AI', fallback: false, writtenAt: at(5) },
      })?.analyst,
    ).toBe('Grok AI');
  });

  it('explains each kind of end to a person', () => {
    const end = { completedAt: at(9), finished: true };
    expect(jobAfter(...completed)).toMatchObject({ ...end, status: 'completed', reason: null, reasonCode: null });
    expect(
      jobAfter(...through, {
        type: 'JobPartiallyCompleted',
        data: { jobId, reason: 'Half of it.', completedAt: at(9) },
      }),
    ).toMatchObject({
      ...end,
      status: 'partially_completed',
      reason: 'Half of it.',
    });
    expect(
      jobAfter(...through, { type: 'JobPartiallySucceeded', data: { jobId, reason: 'By rules.', completedAt: at(9) } }),
    ).toMatchObject({
      ...end,
      status: 'partial_success',
      reason: 'By rules.',
    });
    const open = { actionGenerationStatus: 'failed', parsingStatus: 'failed' };
    expect(jobAfter(...failed)).toMatchObject({
      ...end,
      ...open,
      status: 'failed',
      reason: 'Not found.',
      reasonCode: 'SITE_DNS',
    });
    expect(jobAfter(...cancelled)).toMatchObject({
      ...end,
      ...open,
      status: 'failed',
      reason: 'Cancelled',
      reasonCode: 'CANCELLED',
    });
  });

  it('removes a deleted job, even when a file arrives late', () => {
    const deleted: JobEvent = { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(20) } };
    expect(jobsAfter(...completed, deleted)).toEqual({});
    expect(jobsAfter(...completed, deleted, part('pages.csv', 0, 1))).toEqual({});
  });

  it('returns the same document when nothing changes', () => {
    const [event] = recorded([part('pages.csv', 0, 1)]);
    const document = jobAfter(...during('report'), part('pages.csv', 0, 1)) ?? null;
    expect(event && jobs.evolve(document, event, jobId)).toBe(document);
  });
});

describe('the list of jobs', () => {
  const submittedAs = (id: string, owner: string, seconds: number): JobEvent => ({
    type: 'JobSubmitted',
    data: {
      jobId: id,
      userId: owner,
      url: 'https://example.com/',
      host: 'example.com',
      bounds,
      access: 'full',
      submittedAt: at(seconds),
    },
  });
  const events: readonly JobEvent[] = [
    ...[1, 2, 3, 4, 5].map((number) => submittedAs(`j${number}`, 'ann', number)),
    submittedAs('other', 'bob', 9),
    { type: 'JobFailed', data: { jobId: 'j2', code: 'X', reason: 'r', failedAt: at(10) } },
    { type: 'JobFailed', data: { jobId: 'j4', code: 'X', reason: 'r', failedAt: at(10) } },
  ];
  async function stored() {
    const readModels = memoryReadModels();
    await readModels.prepare(jobs, 'v1');
    await readModels.serve('jobs', 'v1');
    const checkpoint = '9'.padStart(20, '0');
    const writes = Object.entries(jobsAfter(...events)).map(([id, data]) => ({ id, position: checkpoint, data }));
    await readModels.commit([{ model: 'jobs', build: 'v1', checkpoint, writes }]);
    return readModels;
  }
  const idsOf = (page: Awaited<ReturnType<typeof listJobs>>) => page.documents.map((document) => document.id);

  it('has a user’s own, newest first, in pages', async () => {
    const readModels = await stored();
    expect(idsOf(await listJobs(readModels, 'ann'))).toEqual(['j5', 'j4', 'j3', 'j2', 'j1']);
    expect(idsOf(await listJobs(readModels, 'ann', { finished: true }))).toEqual(['j4', 'j2']);
    const first = await listJobs(readModels, 'ann', { finished: false, limit: 2 });
    expect(idsOf(first)).toEqual(['j5', 'j3']);
    expect(idsOf(await listJobs(readModels, 'ann', { finished: false, limit: 2, cursor: first.cursor ?? '' }))).toEqual(
      ['j1'],
    );
    await readModels.close();
  });

  it('has all open jobs, oldest first, up to a time', async () => {
    const readModels = await stored();
    const all = await listOpenJobs(readModels, { before: '9999', limit: 10 });
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).sort());
    expect(all.map(({ finished }) => finished)).toEqual(all.map(() => false));
    expect(all.length).toBeGreaterThan(2);
    const third = all[2]?.createdAt ?? '';
    expect(await listOpenJobs(readModels, { before: third, limit: 10 })).toEqual(all.slice(0, 2));
    expect(await listOpenJobs(readModels, { before: '9999', limit: 1 })).toEqual(all.slice(0, 1));
    await readModels.close();
  });

  it('returns one job by its id', async () => {
    const readModels = await stored();
    expect((await getJob(readModels, 'j2'))?.data).toMatchObject({ jobId: 'j2', status: 'failed' });
    expect(await getJob(readModels, 'none')).toBeNull();
    await readModels.close();
  });
});
