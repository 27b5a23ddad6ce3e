import { describe, expect, it } from 'vitest';
import { packRecords, unpackRecords } from '../../src/commands/job/pageRecords.ts';
import type { JobEvent } from '../../src/domain/job/events.ts';
import type { PageRecordEvent } from '../../src/domain/report/events.ts';
import type { PackedPart } from '../../src/domain/report/pageRecords.ts';
import { getRecordPart, pageRecords, partOfRow, recordsRemovedAt } from '../../src/projections/pageRecords.ts';
import { project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const jobId = 'job-1';
const to = { jobId, userId: 'user-1' };
const at = '2026-03-01T10:00:00.000Z';
const removed: PageRecordEvent = { type: 'PageRecordsRemoved', data: { ...to, removedAt: at } };
const deleted: JobEvent = { type: 'JobDeleted', data: { ...to, deletedAt: at } };

const written = (kind: 'pages' | 'links', parts: readonly PackedPart[]): readonly PageRecordEvent[] =>
  parts.map(({ rows, text }, part) => ({
    type: 'PageRecordsWritten',
    data: { ...to, kind, part, parts: parts.length, rows, text, writtenAt: at },
  }));

async function stored(...events: readonly PageRecordEvent[]) {
  const readModels = memoryReadModels();
  await readModels.prepare(pageRecords, 'v1');
  await readModels.serve('pageRecords', 'v1');
  const checkpoint = '9'.padStart(20, '0');
  const writes = Object.entries(project(pageRecords, ...events)).map(([id, data]) => ({
    id,
    position: checkpoint,
    data,
  }));
  await readModels.commit([{ model: 'pageRecords', build: 'v1', checkpoint, writes }]);
  return readModels;
}

describe('the records of pages', () => {
  it.each([
    ['one part', 1],
    ['a part in each slot', 48],
    ['more parts than there are slots', 331],
  ])('are found again by the row of their page: %s', async (_, count) => {
    const parts = await Promise.all(
      Array.from({ length: count }, async (__, n) => (await packRecords([{ json: `{"n":${n}}`, rows: 3 }]))[0]),
    ).then((packed) => packed.flatMap((part) => part ?? []));
    const readModels = await stored(...written('pages', parts));
    const rows = parts.map((part) => part.rows);
    for (const row of [0, 1, 3 * count - 1, Math.floor(1.5 * count)]) {
      const found = partOfRow(rows, row);
      const text = await getRecordPart(readModels, { jobId, kind: 'pages', parts: count }, found?.part ?? -1);
      expect(await unpackRecords(text ?? '')).toEqual([{ n: Math.floor(row / 3) }]);
      expect(found?.at).toBe(row % 3);
    }
    expect(partOfRow(rows, 3 * count)).toBeNull();
    expect(await recordsRemovedAt(readModels, jobId)).toBeNull();
    await readModels.close();
  });

  it('take a bounded number of documents, all removed with the job', async () => {
    const [part] = await packRecords([{ json: '{}', rows: 1 }]);
    const events = [
      ...written('pages', Array<PackedPart>(331).fill(part as PackedPart)),
      ...written('links', Array<PackedPart>(99).fill(part as PackedPart)),
    ];
    expect(Object.keys(project(pageRecords, ...events))).toHaveLength(48 + 24);
    expect(project(pageRecords, ...events, deleted)).toEqual({});
  });

  it('leave only the word that they were removed, also where nothing else is left of them', async () => {
    const [part] = await packRecords([{ json: '{}', rows: 1 }]);
    const events = written('pages', [part as PackedPart]);
    for (const log of [[...events, removed], [removed]]) {
      const readModels = await stored(...log);
      expect(await recordsRemovedAt(readModels, jobId)).toBe(at);
      expect(await getRecordPart(readModels, { jobId, kind: 'pages', parts: 1 }, 0)).toBeNull();
      await readModels.close();
    }
  });
});
