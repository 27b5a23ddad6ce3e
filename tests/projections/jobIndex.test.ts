import { describe, expect, it } from 'vitest';
import { type JobIndexDocument, jobIndex, siteOf } from '../../src/projections/jobIndex.ts';
import { at, bounds } from '../domain/job/history.ts';
import { project } from '../given/stores/projection.ts';

const submitted = {
  type: 'JobSubmitted',
  data: {
    jobId: 'j',
    userId: 'ann',
    url: 'https://www.example.com/',
    host: 'www.example.com',
    bounds,
    access: 'full',
    submittedAt: at(0),
  },
} as const;
const started = (attempt: number, second: number) =>
  ({ type: 'JobStarted', data: { jobId: 'j', attempt, startedAt: at(second) } }) as const;
const completed = { type: 'JobCompleted', data: { jobId: 'j', completedAt: at(9) } } as const;
const failed = { type: 'JobFailed', data: { jobId: 'j', code: 'X', reason: 'r', failedAt: at(8) } } as const;
const cancelled = { type: 'JobCancelled', data: { jobId: 'j', by: 'user:ann', cancelledAt: at(7) } } as const;
const deleted = { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at(10) } } as const;

const WAITING: JobIndexDocument = {
  jobId: 'j',
  userId: 'ann',
  site: 'example.com',
  group: 'processing',
  opening: '1'.padStart(20, '0'),
  createdAt: at(0),
  failedAt: null,
  state: 'waiting',
  startedAt: null,
  endedAt: null,
};

const ENDS = [
  [{ type: 'JobCompleted', data: { jobId: 'j', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobPartiallyCompleted', data: { jobId: 'j', reason: 'r', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobPartiallySucceeded', data: { jobId: 'j', reason: 'r', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobFailed', data: { jobId: 'j', code: 'X', reason: 'r', failedAt: at(9) } }, 'failed'],
  [{ type: 'JobCancelled', data: { jobId: 'j', by: 'user:ann', cancelledAt: at(9) } }, 'failed'],
] as const;

describe('the times of an audit', () => {
  it('are those of its submission, its first start and its end', () => {
    expect(project(jobIndex, submitted)).toEqual({ j: WAITING });
    expect(project(jobIndex, submitted, started(1, 2), started(2, 5))).toEqual({
      j: { ...WAITING, state: 'running', startedAt: at(2) },
    });
    expect(project(jobIndex, submitted, started(1, 2), started(2, 5), completed)).toEqual({
      j: { ...WAITING, group: 'completed', state: 'ended', startedAt: at(2), endedAt: at(9) },
    });
    expect(project(jobIndex, submitted, started(1, 2), failed)).toMatchObject({
      j: { state: 'ended', endedAt: at(8) },
    });
  });

  it('exclude audits that were cancelled, never began, or were deleted', () => {
    expect(project(jobIndex, submitted, started(1, 2), cancelled)).toMatchObject({ j: { state: null, endedAt: null } });
    expect(project(jobIndex, submitted, failed)).toMatchObject({ j: { state: null, endedAt: null } });
    expect(project(jobIndex, submitted, started(1, 2), completed, deleted)).toEqual({});
  });
});

describe('the jobs of all users', () => {
  it('are open until they end, with or without a result', () => {
    expect(project(jobIndex, submitted)).toEqual({ j: WAITING });
    for (const [end, group] of ENDS) {
      const failedAt = end.type === 'JobFailed' ? at(9) : null;
      expect(project(jobIndex, submitted, end)).toEqual({ j: { ...WAITING, group, failedAt, state: null } });
    }
  });

  it('are removed when deleted, singly or together', () => {
    const one = { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at(10) } } as const;
    const many = { type: 'JobsDeleted', data: { userId: 'ann', jobIds: ['i', 'j'], deletedAt: at(10) } } as const;
    for (const gone of [one, many]) expect(project(jobIndex, submitted, ENDS[0][0], gone)).toEqual({});
    expect(project(jobIndex, submitted, one, ENDS[0][0])).toEqual({});
  });

  it('are found by their site in any spelling', () => {
    expect(['www.Example.com', ' example.com', 'WWW.example.com'].map(siteOf)).toEqual([
      'example.com',
      'example.com',
      'example.com',
    ]);
  });
});
