import { describe, expect, it } from 'vitest';
import { type AllJobsDocument, allJobs, siteOf } from '../../src/projections/allJobs.ts';
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
const JOB: AllJobsDocument = {
  jobId: 'j',
  userId: 'ann',
  site: 'example.com',
  group: 'processing',
  createdAt: at(0),
  failedAt: null,
};
const ENDS = [
  [{ type: 'JobCompleted', data: { jobId: 'j', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobPartiallyCompleted', data: { jobId: 'j', reason: 'r', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobPartiallySucceeded', data: { jobId: 'j', reason: 'r', completedAt: at(9) } }, 'completed'],
  [{ type: 'JobFailed', data: { jobId: 'j', code: 'X', reason: 'r', failedAt: at(9) } }, 'failed'],
  [{ type: 'JobCancelled', data: { jobId: 'j', by: 'user:ann', cancelledAt: at(9) } }, 'failed'],
] as const;

describe('the jobs of all users', () => {
  it('are open until they end, with or without a result', () => {
    expect(project(allJobs, submitted)).toEqual({ j: JOB });
    for (const [end, group] of ENDS) {
      const failedAt = end.type === 'JobFailed' ? at(9) : null;
      expect(project(allJobs, submitted, end)).toEqual({ j: { ...JOB, group, failedAt } });
    }
  });

  it('are removed when deleted, singly or together', () => {
    const one = { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at(10) } } as const;
    const many = { type: 'JobsDeleted', data: { userId: 'ann', jobIds: ['i', 'j'], deletedAt: at(10) } } as const;
    for (const gone of [one, many]) expect(project(allJobs, submitted, ENDS[0][0], gone)).toEqual({});
    expect(project(allJobs, submitted, one, ENDS[0][0])).toEqual({});
  });

  it('are found by their site in any spelling', () => {
    expect(['www.Example.com', ' example.com', 'WWW.example.com'].map(siteOf)).toEqual([
      'example.com',
      'example.com',
      'example.com',
    ]);
  });
});
