/** Tables of many links with long texts, which a site may have on purpose. */
import { describe, expect, it, test } from 'vitest';
import { packRecords } from '../../../src/commands/job/pageRecords.ts';
import { bytesOfLinks, readLinkTable } from '../../../src/http/reports/linkTable.ts';
import { listLinks } from '../../../src/http/reports/listLinks.ts';
import type { LinkColumns } from '../../../src/model/pageRecords.ts';
import type { Documents } from '../../../src/readModels/readModels.ts';
import { roundsDuring } from '../../given/loopRounds.ts';

const RUNS = 20;

/** Runs of that many links, each with a text of its own. */
async function tableOf(linksOfRun: number, mostTextBytes?: number) {
  const own = [...Array(linksOfRun).keys()];
  const packed = await packRecords(
    Array.from({ length: RUNS }, (_, run) => {
      const columns: LinkColumns = {
        pages: [[run, own.length]],
        targets: own.map(() => 0),
        anchors: own,
        flags: own.map(() => 0),
        urls: ['https://www.example.com/'],
        statuses: [200],
        rows: [0],
        texts: own.map((n) => `${run} ${n} ${'ⓐ'.repeat(190)}`),
      };
      // Large enough for a part of its own.
      return { json: `${JSON.stringify(columns)}${' '.repeat(200_000)}`, rows: own.length };
    }),
  );
  const get = async (_: string, id: string) => ({
    data: { texts: packed.flatMap(({ text }, part) => (id.endsWith(`/links/${part}`) ? [text] : [])) },
  });
  const links = packed.map(({ rows }) => rows);
  const table = await readLinkTable({ get } as unknown as Documents, { jobId: 'job-1', links }, mostTextBytes);
  if (table === null) throw new Error('There are no links.');
  return table;
}

const OF = { jobId: 'job-1', pageUrls: [...Array(RUNS).keys()].map(String), open: null, found: 0 };

describe('a table of links', () => {
  it('has all of them', async () => {
    expect((await tableOf(10)).count).toBe(200);
  });

  it.each([
    ['none', 0, 0],
    ['one', 1, 10],
    ['some', 10_000, 30],
  ])('has only the first ones if their texts are too long: %s', async (_, most, count) => {
    const table = await tableOf(10, most);
    expect([table.count, table.from.length, table.flags.length]).toEqual([count, count, count]);
    expect(bytesOfLinks(table)).toBeLessThan(most + 10_000);
    const { data } = await listLinks(table, { sort: 'anchor', order: 'desc' }, OF);
    expect([data.kept, data.total, data.links.length]).toEqual([count, count, count]);
  });
});

test.each([{ search: 'nowhere' }, { sort: 'anchor' }] as const)(
  'a list of many links lets others in between: %o',
  async (query) => {
    const table = await tableOf(1_500);
    expect(await roundsDuring(() => listLinks(table, query, OF))).toBeGreaterThan(1);
  },
);
