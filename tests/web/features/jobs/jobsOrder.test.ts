import { describe, expect, it } from 'vitest';
import {
  countJobs,
  type JobOrder,
  orderFrom,
  orderJobs,
  withOrder,
} from '../../../../web/features/jobs/list/jobsOrder.ts';
import { turned } from '../../../../web/ui/table/column.ts';
import { completedJob, failedJob, runningJob } from '../../given/views.ts';

const USUAL: JobOrder = { filter: 'all', by: 'date', descending: true };
const JOBS = [
  runningJob({ id: 'running', host: 'www.beta.com', created_at: '2026-11-03T00:00:00Z' }),
  completedJob({ id: 'done', host: 'alpha.com', created_at: '2026-11-01T00:00:00Z' }),
  completedJob({
    id: 'partial',
    status: 'partially_completed',
    host: 'www.gamma.com',
    created_at: '2026-11-04T00:00:00Z',
  }),
  completedJob({ id: 'filled', status: 'partial_success', host: 'delta.com', created_at: '2026-11-05T00:00:00Z' }),
  failedJob({ id: 'failed', host: 'epsilon.com', created_at: '2026-11-02T00:00:00Z' }),
];
const ids = (order: JobOrder): string[] => orderJobs(JOBS, order).map((job) => job.id);

describe('the order of jobs', () => {
  it('is by date, newest first, over all of them', () => {
    expect(ids(orderFrom(new URLSearchParams()))).toEqual(['filled', 'partial', 'running', 'failed', 'done']);
  });

  it('counts results with a gap among the completed', () => {
    expect(countJobs(JOBS)).toEqual({ all: 5, completed: 3, processing: 1, failed: 1 });
    expect(ids({ ...USUAL, filter: 'completed' })).toEqual(['filled', 'partial', 'done']);
    expect(ids({ ...USUAL, filter: 'processing' })).toEqual(['running']);
    expect(ids({ ...USUAL, filter: 'failed' })).toEqual(['failed']);
  });

  it('compares hosts without www', () => {
    expect(ids({ ...USUAL, by: 'website', descending: false })).toEqual([
      'done',
      'running',
      'filled',
      'failed',
      'partial',
    ]);
    expect(ids({ ...USUAL, by: 'website', descending: true })).toEqual([
      'partial',
      'failed',
      'filled',
      'running',
      'done',
    ]);
  });

  it('compares statuses by their labels', () => {
    expect(ids({ ...USUAL, by: 'status', descending: false })).toEqual([
      'running',
      'done',
      'failed',
      'filled',
      'partial',
    ]);
  });

  it('is reversed on the active column and starts a new one descending', () => {
    const reversed = turned(USUAL, 'date');
    expect(reversed).toEqual({ by: 'date', descending: false });
    expect(turned(reversed, 'website')).toEqual({ by: 'website', descending: true });
  });

  it('survives its own address, and ignores an invalid one', () => {
    const order: JobOrder = { filter: 'failed', by: 'status', descending: false };
    expect(orderFrom(withOrder(new URLSearchParams('report=x'), order))).toEqual(order);
    expect(withOrder(new URLSearchParams('report=x'), USUAL).toString()).toBe('report=x');
    expect(orderFrom(new URLSearchParams('filter=__proto__&sort=constructor&dir=up'))).toEqual(USUAL);
  });
});
