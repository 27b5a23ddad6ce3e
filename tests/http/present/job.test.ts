import { describe, expect, it } from 'vitest';
import { JobView } from '../../../src/http/contract/jobs.ts';
import { estimate } from '../../../src/http/present/eta.ts';
import { labelOf, presentJob, presentSubmitted, progressOf } from '../../../src/http/present/job.ts';
import { FINAL_STATUSES, JOB_STATUSES } from '../../../src/model/jobs.ts';
import { type JobDocument, submittedJob } from '../../../src/projections/jobs.ts';

const NOW = '2026-03-10T12:01:00.000Z';
const POSITION = '0'.repeat(19).concat('7');

const document = (given: Partial<JobDocument> = {}): JobDocument => ({
  ...submittedJob({
    jobId: 'job',
    userId: 'user',
    url: 'https://example.com/',
    host: 'example.com',
    maxPages: 50,
    access: 'full',
    submittedAt: '2026-03-10T12:00:00.000Z',
  }),
  status: 'queued',
  ...given,
});
const present = (given: Partial<JobDocument> = {}) =>
  presentJob({ id: 'job', position: POSITION, data: document(given) }, NOW);

describe('progress', () => {
  it('the labels of statuses are those of the product', () => {
    const table = {
      pending: 0,
      queued: 5,
      starting: 10,
      executing_parallel_streams: 20,
      executing_step1: 30,
      executing_step2: 50,
      executing_step2_format: 70,
      executing_step3: 80,
      executing_convergence: 90,
      completed: 100,
      failed: 0,
    };
    for (const [status, percent] of Object.entries(table))
      expect([status, progressOf(status)]).toEqual([status, percent]);
    expect(progressOf('something_new')).toBe(25);
  });

  it('never decreases, and is complete with a result', () => {
    const way = [
      'pending',
      'queued',
      'starting',
      'executing_parallel_streams',
      'executing_step1',
      'executing_step2',
      'executing_step2_format',
      'executing_step3',
      'executing_convergence',
      'generating_actions',
      'executing_actions_parsing',
      'completed',
    ];
    expect(way.map(progressOf)).toEqual([...way.map(progressOf)].sort((a, b) => a - b));
    for (const status of FINAL_STATUSES) expect(progressOf(status)).toBe(status === 'failed' ? 0 : 100);
  });
});

it('has the product’s labels, and otherwise the status in words', () => {
  expect(
    [
      'executing_step1',
      'executing_step2',
      'executing_step2_format',
      'executing_step3',
      'executing_convergence',
      'executing_parallel_streams',
      'generating_actions',
    ].map(labelOf),
  ).toEqual([
    'AI Analysis',
    'Data Collection',
    'Report Generation',
    'Creating Recommendations',
    'Final Report',
    'Analyzing Website',
    'Generating Actions',
  ]);
  expect(labelOf('partial_success')).toBe('Partial Success');
  expect(labelOf('executing_actions_parsing')).toBe('Executing Actions Parsing');
});

describe('a job’s view', () => {
  it('has the contract’s fields and no other, for every status', () => {
    for (const status of JOB_STATUSES) {
      const view = present({ status: status as JobDocument['status'], finished: FINAL_STATUSES.includes(status) });
      expect(JobView.strict().parse(view)).toEqual(view);
      expect(view.can).toEqual({ cancel: !FINAL_STATUSES.includes(status), delete: FINAL_STATUSES.includes(status) });
    }
  });

  it('shows each stage, the crawl’s two steps as one', () => {
    const at = (seconds: number) => `2026-03-10T12:00:${String(seconds).padStart(2, '0')}.000Z`;
    const { stages } = present({
      status: 'executing_step1',
      stages: {
        discover: { startedAt: at(1), endedAt: at(2) },
        crawl: { startedAt: at(2), endedAt: at(9) },
        checks: { startedAt: at(9), endedAt: null },
      },
    });
    expect(stages.map((stage) => stage.state)).toEqual([
      'done',
      'running',
      'waiting',
      'waiting',
      'waiting',
      'waiting',
      'waiting',
      'waiting',
    ]);
    expect(stages[0]).toEqual({
      step: 'crawl',
      status: 'executing_parallel_streams',
      label: 'Analyzing Website',
      state: 'done',
      started_at: at(1),
      ended_at: at(9),
    });
    const halfway = present({
      status: 'executing_parallel_streams',
      stages: { discover: { startedAt: at(1), endedAt: at(2) } },
    });
    expect(halfway.stages[0]?.state).toBe('running');
  });

  it('has no running stage after the end', () => {
    const { stages } = present({
      status: 'failed',
      finished: true,
      stages: { discover: { startedAt: NOW, endedAt: null } },
    });
    expect(stages.some((stage) => stage.state === 'running')).toBe(false);
  });

  it('of a job just accepted equals that of its first moment', () => {
    const view = presentSubmitted({
      jobId: 'job',
      userId: 'user',
      url: 'https://example.com/',
      host: 'example.com',
      maxPages: 50,
      now: NOW,
      position: POSITION,
    });
    expect(JobView.strict().parse(view)).toMatchObject({
      status: 'pending',
      progress: 0,
      position: POSITION,
      can: { cancel: true, delete: false },
    });
  });
});

describe('the remaining time', () => {
  const crawling = (pagesDone: number, pagesKnown: number, maxPages = 50) =>
    document({
      pagesDone,
      pagesKnown,
      maxPages,
      stages: { crawl: { startedAt: '2026-03-10T12:00:50.000Z', endedAt: null } },
    });

  it('is not shown before a pace is known, nor after the crawl', () => {
    expect(estimate(crawling(0, 20), NOW)).toBeNull();
    expect(estimate(crawling(2, 20), NOW)).toBeNull();
    expect(estimate(document({ pagesDone: 10, pagesKnown: 20 }), NOW)).toBeNull();
    expect(estimate(crawling(10, 20), '2026-03-10T12:00:51.000Z')).toBeNull();
    expect(estimate({ ...crawling(10, 20), stages: { crawl: { startedAt: NOW, endedAt: NOW } } }, NOW)).toBeNull();
    expect(present({ finished: true, status: 'completed', pagesDone: 10, pagesKnown: 20 }).eta).toBeNull();
  });

  it('is a range around the job’s own pace', () => {
    const eta = estimate(crawling(10, 20), NOW);
    expect(eta?.from).toBeGreaterThanOrEqual(10);
    expect(eta?.to).toBeGreaterThanOrEqual(eta?.from ?? 0);
    expect(eta?.to).toBeLessThan(40);
  });

  it('grows with the pages that may still be found, never beyond the limit', () => {
    const [narrow, wide] = [estimate(crawling(10, 12), NOW), estimate(crawling(5, 40), NOW)];
    expect((wide?.to ?? 0) - (wide?.from ?? 0)).toBeGreaterThan((narrow?.to ?? 0) - (narrow?.from ?? 0));
    const last = estimate(crawling(50, 400), NOW);
    expect(last?.from).toBeLessThan(2);
    expect(last?.to).toBeLessThan(10);
  });

  it('is in whole seconds, in order and never negative, whatever the figures', () => {
    for (const [done, known, max] of [
      [3, 0, 50],
      [50, 50, 50],
      [60, 50, 50],
      [3, 5000, 5000],
    ] as const) {
      const eta = estimate(crawling(done, known, max), NOW);
      expect(Number.isInteger(eta?.from) && Number.isInteger(eta?.to)).toBe(true);
      expect(eta!.from).toBeGreaterThanOrEqual(0);
      expect(eta!.to).toBeGreaterThanOrEqual(eta!.from);
    }
    expect(estimate(crawling(10, 20), '2026-03-10T11:00:00.000Z')).toBeNull();
  });
});
