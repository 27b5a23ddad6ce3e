import { describe, expect, it } from 'vitest';
import { type AuditTimesDocument, auditTimes } from '../../src/projections/auditTimes.ts';
import { at, bounds } from '../domain/job/history.ts';
import { project } from '../given/stores/projection.ts';

const submitted = {
  type: 'JobSubmitted',
  data: {
    jobId: 'j',
    userId: 'ann',
    url: 'https://example.com/',
    host: 'example.com',
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

const WAITING: AuditTimesDocument = {
  jobId: 'j',
  userId: 'ann',
  state: 'waiting',
  opening: '1'.padStart(20, '0'),
  submittedAt: at(0),
  startedAt: null,
  endedAt: null,
};

describe('the times of an audit', () => {
  it('are those of its submission, its first start and its end', () => {
    expect(project(auditTimes, submitted)).toEqual({ j: WAITING });
    expect(project(auditTimes, submitted, started(1, 2), started(2, 5))).toEqual({
      j: { ...WAITING, state: 'running', startedAt: at(2) },
    });
    expect(project(auditTimes, submitted, started(1, 2), started(2, 5), completed)).toEqual({
      j: { ...WAITING, state: 'ended', startedAt: at(2), endedAt: at(9) },
    });
    expect(project(auditTimes, submitted, started(1, 2), failed)).toMatchObject({
      j: { state: 'ended', endedAt: at(8) },
    });
  });

  it('exclude audits that were cancelled, never began, or were deleted', () => {
    expect(project(auditTimes, submitted, started(1, 2), cancelled)).toEqual({});
    expect(project(auditTimes, submitted, failed)).toEqual({});
    expect(project(auditTimes, submitted, started(1, 2), completed, deleted)).toEqual({});
  });
});
