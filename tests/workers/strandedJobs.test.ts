import { describe, expect, it } from 'vitest';
import { createStrandedJobs, type OpenJob } from '../../src/workers/strandedJobs.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const QUIET = 5 * MINUTE;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

function given(jobs: OpenJob[], options: { readonly refuses?: readonly string[] } = {}) {
  const taken: string[] = [];
  const worker = {
    room: true,
    hasRoom: () => worker.room,
    takeUp: (jobId: string) => {
      if (options.refuses?.includes(jobId)) return false;
      taken.push(jobId);
      return true;
    },
  };
  let minutes = 0;
  const round = createStrandedJobs({
    listOpen: async (before) => jobs.filter((job) => job.createdAt < before),
    now: () => at(minutes),
    quietMs: QUIET,
    worker,
  });
  const roundAt = (minute: number): Promise<number> => {
    minutes = minute;
    return round();
  };
  return { taken, worker, roundAt };
}

const job = (jobId: string, more: Partial<OpenJob> = {}): OpenJob => ({ jobId, userId: 'ann', createdAt: at(0), startedAt: null, stages: {}, ...more });

describe('stranded jobs', () => {
  it('are taken up when they stood still in two rounds', async () => {
    const { taken, roundAt } = given([job('j1')]);
    expect(await roundAt(5)).toBe(0);
    expect(await roundAt(6)).toBe(0);
    expect(taken).toEqual([]);
    expect(await roundAt(7)).toBe(1);
    expect(taken).toEqual(['j1']);
  });

  it('are not those that somebody works on', async () => {
    const jobs = [job('j1', { startedAt: at(1), stages: { crawl: { startedAt: at(4), endedAt: null } } })];
    const { taken, roundAt } = given(jobs);
    for (const minute of [6, 7, 8, 9]) await roundAt(minute);
    expect(taken).toEqual([]);
    await roundAt(10);
    // A step between two rounds.
    jobs[0] = job('j1', { startedAt: at(1), stages: { crawl: { startedAt: at(4), endedAt: at(4.5) } } });
    await roundAt(11);
    expect(taken).toEqual([]);
    await roundAt(12);
    expect(taken).toEqual(['j1']);
  });

  it('wait while the worker has other work, and as long as it refuses', async () => {
    const { taken, worker, roundAt } = given([job('j1'), job('j2')], { refuses: ['j1'] });
    await roundAt(6);
    worker.room = false;
    expect(await roundAt(7)).toBe(0);
    worker.room = true;
    expect(await roundAt(8)).toBe(0);
    expect(await roundAt(9)).toBe(1);
    expect(taken).toEqual(['j2']);
  });
});
