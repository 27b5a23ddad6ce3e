/** Exports to files: their content, their range, and that an interrupted one has the same result. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { type ExportRequest, exportEvents } from '../../../src/reports/events/exportEvents.ts';
import { measurePace } from '../../../src/reports/events/pace.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { writeAnalystsLog } from '../../given/product/analystsLog.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

let folder: string;
let store: EventStore;
let out: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  out = join(folder, 'events');
  store = memoryEventStore();
  await writeAnalystsLog(store);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

type Row = {
  readonly position: string;
  readonly type: string;
  readonly stream: string;
  readonly happened_at: string;
  readonly data: Record<string, unknown>;
};

const EVERYTHING = {
  log: 'test',
  format: 'ndjson',
  from: null,
  to: null,
  types: null,
  streams: null,
  pseudonyms: null,
} as const;
const request = (more: Partial<ExportRequest> = {}): ExportRequest => ({ ...EVERYTHING, out, ...more });

/** Pages of that many events, so that a small log has many. */
const paged = (limit: number, from: EventStore = store) => ({
  head: () => from.head(),
  readAll: (options: Parameters<EventStore['readAll']>[0] = {}) => from.readAll({ ...options, limit }),
});

const run = (more: Partial<ExportRequest> = {}, options: Partial<Parameters<typeof exportEvents>[1]> = {}) =>
  exportEvents(request(more), { store: paged(7), resume: false, ...options });

const lines = (file = out): readonly Row[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

async function partsOf(path = out): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const name of readdirSync(path).sort())
    rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(join(path, name)) })));
  return rows;
}

describe('an export', () => {
  it('has every event once, in the order of the log, with its columns', async () => {
    const { events, unreadable, next } = await run();
    const rows = lines();
    expect([events, unreadable]).toEqual([rows.length, 0]);
    expect(rows.map((row) => row.position)).toEqual([...new Set(rows.map((row) => row.position))].toSorted());
    expect(next).toBe(rows.at(-1)?.position);
    expect(rows[0]).toEqual({
      position: '00000000000000000001',
      stream: 'account-ann',
      stream_kind: 'account',
      revision: 0,
      type: 'AccountRegistered',
      version: 1,
      id: expect.any(String),
      happened_at: '2026-01-01T00:00:00.000Z',
      actor_kind: 'user',
      actor_id: 'test',
      on_behalf_of: null,
      correlation_id: 'request of a test',
      causation_id: 'command of a test',
      data: {
        userId: 'ann',
        email: 'ann@example.com',
        name: 'ann',
        passwordHash: '[redacted]',
        registeredAt: '2026-01-01T00:00:00.000Z',
      },
    });
    expect(readdirSync(folder)).toEqual(['events']);
  });

  it('has the same in every format; Parquet with typed times and numbers', async () => {
    await run();
    const rows = lines();
    await run({ format: 'csv', out: join(folder, 'events.csv') });
    const csv = readFileSync(join(folder, 'events.csv'), 'utf8').split('\n');
    expect(csv[0]).toBe(Object.keys(rows[0] ?? {}).join(','));
    expect(csv).toHaveLength(rows.length + 2);
    expect(csv[1]).toContain('"{""userId"":""ann"",');
    await run({ format: 'parquet', out: join(folder, 'parts') }, { partRows: 10 });
    expect(readdirSync(join(folder, 'parts')).slice(0, 2)).toEqual(['part-00001.parquet', 'part-00002.parquet']);
    const parts = await partsOf(join(folder, 'parts'));
    expect(parts[0]).toMatchObject({
      position: 1n,
      revision: 0n,
      version: 1n,
      on_behalf_of: null,
      happened_at: new Date('2026-01-01T00:00:00.000Z'),
    });
    const alike = parts.map((row) => ({
      ...row,
      position: String(row.position).padStart(20, '0'),
      revision: Number(row.revision),
      version: Number(row.version),
      happened_at: (row.happened_at as Date).toISOString(),
      data: typeof row.data === 'string' ? JSON.parse(row.data) : row.data,
    }));
    expect(alike).toEqual(rows);
  });

  it('of an empty log is a file without lines, or a table with columns', async () => {
    const none = { types: ['PlanDeleted'] };
    expect(await run(none)).toMatchObject({ events: 0 });
    expect(readFileSync(out, 'utf8')).toBe('');
    await run({ ...none, format: 'parquet', out: join(folder, 'parts') });
    expect(await partsOf(join(folder, 'parts'))).toEqual([]);
    expect(readdirSync(join(folder, 'parts'))).toEqual(['part-00001.parquet']);
  });

  it('is limited to the requested types, streams and times', async () => {
    await run({ types: ['JobSubmitted', 'JobFailed'] });
    expect(new Set(lines().map(({ type }) => type))).toEqual(new Set(['JobSubmitted', 'JobFailed']));
    await run({
      out: join(folder, '2'),
      streams: ['billing-', 'mail-'],
      types: ['MailSent', 'FundsAdded', 'JobSubmitted'],
    });
    expect(lines(join(folder, '2')).map(({ type }) => type)).toEqual([
      'FundsAdded',
      'FundsAdded',
      'MailSent',
      'MailSent',
      'MailSent',
      'MailSent',
    ]);
    await run({
      out: join(folder, '3'),
      from: { at: '2026-02-01T00:00:00.000Z' },
      to: { at: '2026-02-10T00:00:00.000Z' },
      types: ['JobSubmitted', 'AccountRegistered'],
    });
    expect(lines(join(folder, '3')).map((row) => row.happened_at.slice(0, 10))).toEqual([
      '2026-02-01',
      '2026-02-02',
      '2026-02-03',
      '2026-02-04',
    ]);
  });

  it('can be continued: the next one starts after the end of the last', async () => {
    await run({ out: join(folder, 'all') });
    const middle = { position: lines(join(folder, 'all'))[10]?.position ?? '' };
    const first = await run({ out: join(folder, '1'), to: middle });
    expect(first).toMatchObject({ events: 11, next: middle.position });
    await run({ out: join(folder, '2'), from: { position: first.next } });
    expect([...lines(join(folder, '1')), ...lines(join(folder, '2'))]).toEqual(lines(join(folder, 'all')));
  });

  it('that ends at a time can be continued from that time; of a time to come, from what there was', async () => {
    await run({ out: join(folder, 'all') });
    const to = '2026-02-10T00:00:00.000Z';
    const first = await run({ out: join(folder, '1'), to: { at: to } }, { now: () => '2026-04-01T00:00:00.000Z' });
    expect(first.next).toBe(to);
    await run({ out: join(folder, '2'), from: { at: first.next } });
    const [one, two] = [lines(join(folder, '1')), lines(join(folder, '2'))];
    expect(one.length * two.length).toBeGreaterThan(0);
    expect([...one, ...two].toSorted((a, b) => a.position.localeCompare(b.position))).toEqual(
      lines(join(folder, 'all')),
    );
    expect(
      (await run({ out: join(folder, '3'), to: { at: to } }, { now: () => '2026-02-09T00:00:00.000Z' })).next,
    ).toBe(await store.head());
  });

  it('ends where the log ended when it began, whatever is written meanwhile', async () => {
    const head = await store.head();
    let asked = 0;
    const growing = {
      ...paged(7),
      readAll: async (options: Parameters<EventStore['readAll']>[0]) => {
        asked += 1;
        const data = { jobId: 'late', queuedAt: '2026-04-01T00:00:00.000Z' };
        await store.append(
          `job-late-${asked}`,
          [{ id: randomUUID(), type: 'JobQueued', data, metadata: metadataAt('2026-04-01T00:00:00.000Z') }],
          {
            expected: 'any',
          },
        );
        return paged(7).readAll(options);
      },
    };
    expect(await run({}, { store: growing })).toMatchObject({ next: head });
    expect(lines().at(-1)?.position).toBe(head);
  });

  it('omits the data of unreadable events, and counts them', async () => {
    const raw = openSqliteEventStore({ file: ':memory:' });
    const metadata = metadataAt('2026-04-01T00:00:00.000Z');
    await raw.append('thing-1', [{ id: randomUUID(), type: 'FromTheFuture', data: { password: 'x' }, metadata }], {
      expected: 'any',
    });
    await raw.append(
      'job-1',
      [
        {
          id: randomUUID(),
          type: 'JobQueued',
          data: { jobId: '1', pin: 'x' },
          metadata: { ...metadata, schemaVersion: 9 },
        },
      ],
      {
        expected: 'any',
      },
    );
    expect(await run({}, { store: paged(7, raw) })).toMatchObject({ events: 2, unreadable: 2 });
    expect(lines().map(({ data }) => data)).toEqual([{}, {}]);
    await raw.close();
  });
});

describe('an interrupted export', () => {
  const aborted = (afterPages: number) => {
    const stopping = new AbortController();
    let pages = 0;
    const onProgress = () => {
      pages += 1;
      if (pages === afterPages) stopping.abort(new Error('stopped'));
    };
    return { signal: stopping.signal, onProgress };
  };

  for (const format of ['ndjson', 'csv', 'parquet'] as const)
    it(`goes on, again and again, and is the same in the end (${format})`, async () => {
      const whole = join(folder, 'whole');
      await run({ format, out: whole }, { partRows: 10 });
      let breaks = 0;
      for (let pages = 1; !existsSync(out); pages = pages === 3 ? 1 : pages + 1) {
        const isBroken = await run({ format }, { resume: true, partRows: 10, ...aborted(pages) }).then(
          () => false,
          () => true,
        );
        if (isBroken) breaks += 1;
        // The half-written file has another name.
        expect(existsSync(out)).toBe(readdirSync(folder).every((name) => !name.startsWith('events.')));
        // As after a kill: data written beyond the synced part.
        if (!existsSync(out) && format !== 'parquet') writeFileSync(`${out}.part`, 'a half line', { flag: 'a' });
        if (!existsSync(out) && format === 'parquet')
          writeFileSync(join(`${out}.part`, 'part-00099.parquet.tmp'), 'half a part');
      }
      expect(breaks).toBeGreaterThan(2);
      if (format === 'parquet') expect(await partsOf()).toEqual(await partsOf(whole));
      else expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'));
      expect(readdirSync(folder).toSorted()).toEqual(['events', 'whole']);
    });

  it('is not restarted by mistake, nor continued with other options', async () => {
    await run({}, aborted(2)).catch(() => undefined);
    await expect(run()).rejects.toThrow(/was interrupted\. --resume continues it/);
    await expect(run({ types: ['JobSubmitted'] }, { resume: true })).rejects.toThrow(/is another export/);
    const pseudonyms = createPseudonyms('a key of the test, long enough for one');
    await expect(run({ pseudonyms }, { resume: true })).rejects.toThrow(/is another export/);
    writeFileSync(`${out}.progress.json`, '{"position":');
    await expect(run({}, { resume: true })).rejects.toThrow(/does not say how far/);
    rmSync(`${out}.progress.json`);
    await run({}, { resume: true });
    expect(lines().length).toBeGreaterThan(40);
    await expect(run()).rejects.toThrow(/already exists/);
  });
});

describe('the pace', () => {
  it('estimates the remaining time from the speed of this run, once it is known', () => {
    let now = 0;
    const pace = measurePace({ from: '00000000000000001000', to: '00000000000000002000', clock: () => now });
    now = 500;
    expect(pace('00000000000000001100', 10)).toEqual({ done: 0.1, events: 10, secondsLeft: null });
    now = 2_000;
    expect(pace('00000000000000001250', 25)).toEqual({ done: 0.25, events: 25, secondsLeft: 6 });
    now = 8_000;
    expect(pace('00000000000000002000', 100)).toEqual({ done: 1, events: 100, secondsLeft: 0 });
    expect(measurePace({ from: '0', to: '0', clock: () => now })('0', 0).done).toBe(1);
  });
});
