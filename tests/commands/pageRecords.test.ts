import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type JsonRow,
  packRecords,
  removePageRecords,
  unpackRecords,
  writePageRecords,
} from '../../src/commands/job/pageRecords.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { MAX_PART_BYTES } from '../../src/domain/report/events.ts';
import { completeJob, workOn } from '../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';

async function running(): Promise<{ made: Product; jobId: string; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const sites = [{ url: 'https://one.example/', host: 'one.example' }];
  const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 50, maxMs: 180_000 } });
  const jobId = jobIds[0] ?? '';
  await workOn(made, jobId, 'report');
  return { made, jobId, userId };
}

const rows = (count: number, characters: number): JsonRow[] =>
  Array.from({ length: count }, (_, n) => ({
    json: JSON.stringify({ n, text: randomBytes(characters).toString('latin1') }),
    rows: 1,
  }));

describe('records', () => {
  it('are packed in parts that every store takes, also where nothing repeats', async () => {
    for (const [count, characters] of [
      [0, 0],
      [1, 10],
      [1_000, 100],
      [30, 90_000],
    ] as const) {
      const records = rows(count, characters);
      const parts = await packRecords(records);
      const unpacked = (await Promise.all(parts.map(({ text }) => unpackRecords(text)))).flat();
      expect(unpacked).toEqual(records.map(({ json }) => JSON.parse(json)));
      expect(parts.reduce((sum, part) => sum + part.rows, 0)).toBe(count);
      for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(MAX_PART_BYTES);
    }
  });

  it('are left out from where they would take more room than the read models have', async () => {
    function* endless(): Generator<JsonRow> {
      for (;;) yield* rows(1, 150_000);
    }
    const parts = await packRecords(endless());
    expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it('are written by the worker that has the job, and not once it has ended', async () => {
    const { made, jobId, userId } = await running();
    const pages = await packRecords(rows(40, 20_000));
    const links = await packRecords([{ json: '{}', rows: 7 }]);
    const written = { pages: pages.map((part) => part.rows), links: [7] };
    for (let nth = 0; nth < 2; nth += 1)
      expect(await writePageRecords(made.context(), { jobId, userId }, { pages, links })).toEqual(written);
    expect(await made.types('page-records-')).toEqual(Array(pages.length + 1).fill('PageRecordsWritten'));
    await completeJob(made, jobId, userId);
    await expect(writePageRecords(made.context(), { jobId, userId }, { pages, links })).rejects.toMatchObject({
      code: 'JOB_ALREADY_FINISHED',
    });
  });

  it('are erased whole when they are removed, whenever that is interrupted', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, jobId, userId } = await running();
      const pages = await packRecords(rows(40, 20_000));
      await writePageRecords(made.context(), { jobId, userId }, { pages, links: [] });
      await orCrash(removePageRecords(made.context('command-1', breaking(made.store)), jobId));
      for (let nth = 0; nth < 2; nth += 1) await removePageRecords(made.context('command-1'), jobId);
      expect(await made.types('page-records-')).toEqual(['PageRecordsRemoved']);
    });
    expect(deaths).toBe(4);
  });

  it('that were never written leave nothing behind', async () => {
    const { made, jobId } = await running();
    await removePageRecords(made.context(), jobId);
    expect(await made.types('page-records-')).toEqual([]);
  });
});
