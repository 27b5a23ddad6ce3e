/** `npm run events -- export`, run as a user runs it: beside a server, killed midway, on both stores. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { partOf } from '../../src/start/partFiles.ts';
import { FULL } from '../given/fullForm.ts';
import { writeAnalystsLog } from '../given/product/analystsLog.ts';
import { builtProgram } from '../given/product/processes.ts';
import { runProgram } from '../given/product/program.ts';
import { type HeldLog, holdLog } from '../given/stores/heldLog.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

const KILLER = new URL('../given/product/killAtNote.mjs', import.meta.url).href;

let data: string;
let out: string;
let held: HeldLog | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'events-'));
  out = join(data, 'out');
});
afterEach(async () => {
  await held?.close();
  held = null;
  rmSync(data, { recursive: true });
});

const open = () => withStoredEvents(openSqliteEventStore({ file: join(data, 'events.db') }));

const exportTo = (path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runProgram(
    'events',
    ['export', '--out', path, ...(args.includes('--format') ? [] : ['--format', 'ndjson']), ...args],
    { DATA_DIR: data, ...env },
  );

type Row = {
  readonly position: string;
  readonly type: string;
  readonly stream: string;
  readonly data: Record<string, unknown>;
};
const lines = (path = out): readonly Row[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

async function filled(): Promise<void> {
  const store = open();
  await writeAnalystsLog(store);
  await store.close();
}

/** Many small events: several pages of the log. */
async function fill(store: EventStore, streams: number): Promise<void> {
  const at = '2026-03-10T12:00:00.000Z';
  const pending = Array.from({ length: streams }, (_, job) => {
    const events = Array.from({ length: 100 }, (_unused, step) => ({
      id: randomUUID(),
      type: 'JobProgressed',
      metadata: metadataAt(at),
      data: { jobId: `job ${job}`, step: 'crawl', pagesDone: step, pagesKnown: 100, at },
    }));
    return store.append(`job-${job}`, events, { expected: 'no_stream' });
  });
  await Promise.all(pending);
}

/** Kills the export with SIGKILL just before or just after it saves its progress. False: it finished first. */
async function killedAtItsNote(
  moment: 'before' | 'after',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['--import', KILLER, builtProgram('events'), 'export', '--out', out, '--resume', ...args],
    {
      env: { PATH: process.env.PATH, KILL_MOMENT: moment, ...env },
      stdio: 'ignore',
    },
  );
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal === 'SIGKILL';
}

/** Twice as often in the full form, of a log that is longer in proportion: some pages are left each time. */
const MOMENTS = (FULL ? ['after', 'before', 'after', 'before'] : ['after', 'before']) as readonly (
  | 'after'
  | 'before'
)[];
const STREAMS_IN_FILE = FULL ? 300 : 40;
const STREAMS_ON_SERVER = FULL ? 50 : 32;

async function killedAgainAndAgain(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  for (const moment of MOMENTS) {
    expect(await killedAtItsNote(moment, args, env)).toBe(true);
    expect(existsSync(out)).toBe(false);
  }
  expect((await exportTo(out, ['--resume', ...args], env)).code).toBe(0);
}

const rowsOfParts = async (path: string) => {
  const rows: Record<string, unknown>[] = [];
  for (const name of readdirSync(path).sort())
    rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(join(path, name)) })));
  return rows;
};

describe('npm run events -- export', () => {
  it('writes the log to a file readable only by its owner, and prints where the next export continues', async () => {
    await filled();
    const { code, output } = await exportTo(out);
    expect(output).toMatch(
      /events\.db\n.*out: \d+ events in \d+\.\d s\. Continue later with --from \d{20}\.\nIt contains personal data/,
    );
    expect(code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(lines().length).toBeGreaterThan(40);
    const next = /--from (\d{20})/.exec(output)?.[1] ?? '';
    expect(await exportTo(join(data, 'next'), ['--from', next])).toMatchObject({
      code: 0,
      output: expect.stringContaining(': 0 events'),
    });
    expect(await exportTo(out)).toMatchObject({
      code: 1,
      output: expect.stringContaining('already exists. Name another, or remove it.'),
    });
    expect(await exportTo(out, ['--resume'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('is complete: there is nothing left to do'),
    });
  });

  it('filters by types, streams and times', async () => {
    await filled();
    await exportTo(out, [
      '--types',
      'JobSubmitted,JobFailed',
      '--streams',
      'job-a,job-e',
      '--from',
      '2026-02-01',
      '--to',
      '2026-03-06T00:00:00Z',
    ]);
    expect(lines().map(({ type, stream }) => `${type} ${stream}`)).toEqual([
      'JobSubmitted job-a3',
      'JobSubmitted job-a4',
      'JobSubmitted job-e1',
      'JobFailed job-e1',
    ]);
  });

  it('has the pseudonyms of the installation, by its key file or its setting, and others with another key', async () => {
    await filled();
    const one = await exportTo(out, ['--anonymise']);
    expect(one.output).toContain('Without personal data');
    expect(statSync(join(data, 'pseudonym-key')).mode & 0o777).toBe(0o600);
    await exportTo(join(data, 'again'), ['--anonymise']);
    expect(lines(join(data, 'again'))).toEqual(lines());
    expect(readFileSync(out, 'utf8')).not.toMatch(/ann|bob|eve@|\.example/);
    const secret = readFileSync(join(data, 'pseudonym-key'), 'utf8').trim();
    await exportTo(join(data, 'set'), ['--anonymise'], { PSEUDONYM_SECRET: secret });
    expect(lines(join(data, 'set'))).toEqual(lines());
    expect((await exportTo(join(data, 'other'), ['--anonymise'], { PSEUDONYM_SECRET: 'x'.repeat(40) })).code).toBe(0);
    expect(lines(join(data, 'other'))[0]?.stream).not.toBe(lines()[0]?.stream);
  });

  it('reads beside the server that has the log open, and leaves no copy behind', async () => {
    await filled();
    held = await holdLog(data);
    // As the process of another number would have left it.
    writeFileSync(
      partOf(join(data, 'reading.db')).replace(`-${process.pid}-`, '-999999999-'),
      'left by a process that was killed',
    );
    const { code, output } = await exportTo(out);
    expect(output).toContain('as the running server has just copied it');
    expect(code).toBe(0);
    expect(lines().length).toBeGreaterThan(40);
    expect(readdirSync(data).filter((name) => name.startsWith('reading'))).toEqual([]);
  });

  it('explains why it failed', async () => {
    await filled();
    held = openSqliteEventStore({ file: join(data, 'events.db') });
    expect(await exportTo(out)).toMatchObject({
      code: 1,
      output: expect.stringContaining('in use by another process'),
    });
    await held.close();
    held = null;
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', MONGODB_URL: 'mongodb://127.0.0.1/seo' };
    const wrong: readonly (readonly [args: readonly string[], says: string, env?: Readonly<Record<string, string>>])[] =
      [
        [['--types', 'JobSumbitted'], 'There is no type of event called JobSumbitted. docs/events.md lists all.'],
        [['--from', 'yesterday'], 'A day (2026-03-01), a time'],
        [['--from', '2026-02-30'], 'A day (2026-03-01), a time'],
        [['--from', '2026-03-01', '--to', '2026-02-01'], '--from is not before --to.'],
        [['--format', 'xml'], 'Allowed choices are ndjson, csv, parquet'],
        [['--log', join(data, 'none.db')], 'There is no event log'],
        [['--part-rows', '0'], 'A whole number from 1'],
        [['--anonymise'], 'with servers, set PSEUDONYM_SECRET', servers],
        [['--anonymise'], 'PSEUDONYM_SECRET: must have at least 32 characters', { PSEUDONYM_SECRET: 'short' }],
      ];
    const answers = await Promise.all(wrong.map(([args, , env]) => exportTo(out, args, env)));
    for (const [index, { code, output }] of answers.entries()) {
      expect(output).toContain(wrong[index]?.[1]);
      expect(code).toBe(2);
    }
    expect(existsSync(out)).toBe(false);
    expect(await exportTo(join(data, 'no', 'folder'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('ENOENT'),
    });
  });
});

describe('an export that is killed with SIGKILL several times', () => {
  it('ends up identical to an uninterrupted one (NDJSON, embedded log)', async () => {
    const store = open();
    await fill(store, STREAMS_IN_FILE);
    await store.close();
    await killedAgainAndAgain(['--format', 'ndjson'], { DATA_DIR: data });
    await exportTo(join(data, 'whole'));
    expect(lines()).toHaveLength(100 * STREAMS_IN_FILE);
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(join(data, 'whole'), 'utf8'));
    expect(readdirSync(data).filter((name) => name.startsWith('out'))).toEqual(['out']);
  });

  it('ends up identical to an uninterrupted one (Parquet, EventStoreDB)', async () => {
    const server = await startEventStoreDbServer();
    const store = withStoredEvents(await openEventStoreDb({ url: server.url }));
    await fill(store, STREAMS_ON_SERVER);
    await store.delete('job-7');
    await store.close();
    const args = ['--log', server.url, '--format', 'parquet', '--part-rows', '1000'];
    await killedAgainAndAgain(args, { DATA_DIR: data });
    await exportTo(join(data, 'whole'), args);
    const rows = await rowsOfParts(out);
    expect(rows).toEqual(await rowsOfParts(join(data, 'whole')));
    // Erased events are left out, although the server still returns them to readers of $all.
    expect(rows).toHaveLength(100 * (STREAMS_ON_SERVER - 1));
    expect(rows.filter(({ stream }) => stream === 'job-7')).toEqual([]);
    await server.close();
  });
});
