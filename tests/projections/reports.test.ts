import { describe, expect, it } from 'vitest';
import type { JobEvent } from '../../src/domain/job/events.ts';
import type { ReportRowsWritten } from '../../src/domain/report/events.ts';
import { getFindings, getOverview, getPages, reports } from '../../src/projections/reports.ts';
import { rowsEvents } from '../given/analysis.ts';
import { foundAt, foundCheck, foundPage, report } from '../given/found.ts';
import { project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const jobId = 'job-1';
const to = { jobId, userId: 'user-1', writtenAt: '2026-03-01T10:00:00.000Z' };
const deleted: Extract<JobEvent, { type: 'JobDeleted' }> = {
  type: 'JobDeleted',
  data: { jobId, userId: to.userId, deletedAt: to.writtenAt },
};

/** `count` findings of one check, on as many pages. */
function large(count: number) {
  const urls = Array.from({ length: count }, (_, n) => `https://www.example.com/${n}`);
  const pages = urls.map((url) => foundPage(url));
  return report({ findings: urls.map((url) => foundAt('thin', url)), checks: [foundCheck('thin')] }, pages);
}

async function stored(...events: readonly ReportRowsWritten[]) {
  const readModels = memoryReadModels();
  await readModels.prepare(reports, 'v1');
  await readModels.serve('reports', 'v1');
  const checkpoint = '9'.padStart(20, '0');
  const writes = Object.entries(project(reports, ...events)).map(([id, data]) => ({ id, position: checkpoint, data }));
  await readModels.commit([{ model: 'reports', build: 'v1', checkpoint, writes }]);
  return readModels;
}

describe('the rows of a report', () => {
  it.each([
    ['a part', 5, 100],
    ['a few parts', 250, 100],
    ['more parts than there are slots', 330, 3],
  ])('are found again by their numbers: %s', async (_, count, size) => {
    const whole = large(count);
    const readModels = await stored(...rowsEvents(to, whole, { size }));
    const overview = await getOverview(readModels, jobId);
    if (!overview) throw new Error('There is no overview.');
    const rows = { jobId, parts: overview.parts };
    const all = await getFindings(readModels, rows, [...Array(count).keys()]);
    expect(all).toEqual(whole.findings);
    expect(await getFindings(readModels, rows, [count - 1, 0, count])).toEqual([
      whole.findings[count - 1],
      whole.findings[0],
    ]);
    expect(await getPages(readModels, rows)).toEqual(whole.pages);
    await readModels.close();
  });

  it('take a bounded number of documents, all removed with the job', () => {
    const events = rowsEvents(to, large(330), { size: 3 });
    expect(Object.keys(project(reports, ...events))).toHaveLength(1 + 32 + 8);
    expect(project(reports, ...events, deleted)).toEqual({});
  });

  it('are shown when complete, and not while they are being rewritten', async () => {
    const [first, ...others] = rowsEvents(to, large(250));
    const last = others.at(-1);
    if (!first || !last) throw new Error('There are too few parts.');
    for (const events of [[first], [first, ...others.slice(0, -1)], [first, ...others, first]]) {
      const readModels = await stored(...events);
      expect(await getOverview(readModels, jobId)).toBeNull();
      await readModels.close();
    }
    const again = await stored(first, ...others, first, ...others);
    expect((await getOverview(again, jobId))?.causes).toHaveLength(1);
    await again.close();
  });
});
