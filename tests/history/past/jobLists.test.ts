import { describe, expect, it } from 'vitest';
import { userJobsThen } from '../../../src/history/past/jobLists.ts';
import { happened, logOf } from '../../given/reports.ts';

const AT = '2026-03-01T12:00:00.000Z';
const reserved = (nth: number) => {
  const data = { userId: 'ann', jobId: `job-${nth}`, from: 'admin', period: '2026-03', access: 'full', reservedAt: AT };
  return happened('billing-ann', AT, 'AnalysisReserved', data);
};

describe('past jobs of a user', () => {
  it('are searched in parallel batches: a user whose jobs are all gone does not wait for a scan of all', async () => {
    const store = await logOf(...Array.from({ length: 320 }, (_, nth) => reserved(nth)));
    const moment = { position: await store.head(), time: AT, next: null };
    const { signal } = new AbortController();
    const first = await userJobsThen({ store, moment, signal }, 'ann', { limit: 20 });
    expect(first).toEqual({ rows: [], erased: 0, cursor: '19' });
    expect(await userJobsThen({ store, moment, signal }, 'ann', { limit: 20, cursor: '19' })).toEqual({
      rows: [],
      erased: 0,
      cursor: null,
    });
  });
});
