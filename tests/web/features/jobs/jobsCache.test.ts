import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyJobs, type JobsCache, mergeList, putJob, removeJob } from '../../../../web/features/jobs/jobsCache.ts';
import { applyJobEvent } from '../../../../web/features/jobs/jobsLive.ts';
import { completedJob, position, runningJob } from '../../given/views.ts';

const holding = (...jobs: Parameters<typeof putJob>[1][]): JobsCache => {
  const cache = emptyJobs();
  for (const job of jobs) putJob(cache, job, 0);
  return cache;
};

describe('jobs in the browser', () => {
  it('take the newer state and ignore the older', () => {
    const cache = holding(runningJob({ position: position(10) }));
    putJob(cache, completedJob({ position: position(20) }), 1);
    expect(cache.jobs['job-1']?.status).toBe('completed');
    putJob(cache, runningJob({ position: position(15) }), 2);
    expect(cache.jobs['job-1']?.status).toBe('completed');
  });

  it('take a state of the same position, for its newer estimate', () => {
    const cache = holding(runningJob({ eta: null }));
    putJob(cache, runningJob({ eta: { from: 5, to: 9 } }), 1);
    expect(cache.jobs['job-1']?.eta).toEqual({ from: 5, to: 9 });
  });

  it('stay deleted when a late answer still has them', () => {
    const cache = holding(completedJob());
    removeJob(cache, 'job-1');
    putJob(cache, completedJob({ position: position(99) }), 1);
    mergeList(cache, { jobs: [completedJob()], truncated: false, askedAt: 5, position: position(50) });
    expect(cache.jobs).toEqual({});
  });

  it('disappear when a list requested later omits them', () => {
    const cache = holding(completedJob());
    mergeList(cache, { jobs: [], truncated: false, askedAt: 10, position: position(50) });
    expect(cache.jobs).toEqual({});
  });

  it('stay when they arrived after the list was requested', () => {
    const cache = emptyJobs();
    putJob(cache, runningJob(), 11);
    mergeList(cache, { jobs: [], truncated: false, askedAt: 10, position: position(50) });
    expect(Object.keys(cache.jobs)).toEqual(['job-1']);
  });

  it('are not reverted by a list requested before newer socket messages', () => {
    const cache = holding(runningJob({ position: position(10) }));
    putJob(cache, completedJob({ position: position(30) }), 20);
    mergeList(cache, {
      jobs: [runningJob({ position: position(10) })],
      truncated: false,
      askedAt: 15,
      position: position(50),
    });
    expect(cache.jobs['job-1']?.status).toBe('completed');
  });

  it('resume the socket from the last list’s position, not from its newest row', () => {
    const cache = holding(runningJob({ position: position(70) }));
    expect(cache.position).toBe(position(0));
    mergeList(cache, {
      jobs: [runningJob({ position: position(70) })],
      truncated: false,
      askedAt: 10,
      position: position(60),
    });
    expect(cache.position).toBe(position(60));
  });
});

describe('rows of the realtime channel', () => {
  const event = { type: 'event', channel: 'jobs', table: 'jobs', old: null, position: position(30) } as const;

  it('add, change and remove jobs', () => {
    const cache = emptyJobs();
    applyJobEvent(cache, { ...event, eventType: 'INSERT', new: { ...runningJob({ position: position(30) }) } }, 1);
    expect(cache.jobs['job-1']?.status).toBe('executing_parallel_streams');
    applyJobEvent(
      cache,
      { ...event, eventType: 'UPDATE', new: { id: 'job-1', status: 'executing_step1', position: position(31) } },
      2,
    );
    expect(cache.jobs['job-1']).toMatchObject({ status: 'executing_step1', host: 'www.example.com' });
    applyJobEvent(cache, { ...event, eventType: 'DELETE', new: null, old: { id: 'job-1' } }, 3);
    expect(cache.jobs).toEqual({});
  });

  it('without an id change nothing', () => {
    const cache = holding(runningJob());
    const before = structuredClone(cache);
    applyJobEvent(cache, { ...event, eventType: 'UPDATE', new: { status: 'completed' } }, 1);
    applyJobEvent(cache, { ...event, eventType: 'DELETE', new: null }, 1);
    expect(cache).toEqual(before);
  });

  it('result in the same jobs in any order and however often they arrive', () => {
    const steps = [10, 11, 12, 13, 14].map((number) => runningJob({ position: position(number), pages_done: number }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(steps, { minLength: 1 }),
        fc.array(fc.nat(4), { maxLength: 8 }),
        (order, again) => {
          const cache = emptyJobs();
          for (const row of [...order, ...again.map((index) => order[index % order.length])])
            applyJobEvent(cache, { ...event, eventType: 'UPDATE', new: { ...row } }, 1);
          expect(cache.jobs['job-1']?.pages_done).toBe(Math.max(...order.map((row) => row.pages_done)));
        },
      ),
      { seed: 20261121 },
    );
  });
});
