/** Reports folded in several threads: the same results as one pass over the log, or none. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportOf } from '../../src/cli/ownReport.ts';
import type { Threaded } from '../../src/cli/replayThreads.ts';
import type { NewEvent } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { type Folded, foldSideBySide, type RunProgress, resultOf, unfolded } from '../../src/reports/run.ts';
import { builtProgram } from '../given/product/processes.ts';
import { runProgram } from '../given/product/program.ts';
import { ALL, NOW } from '../given/reports.ts';
import { metadataAt } from '../given/stores/metadata.ts';

// Uses the build: from source, each thread would compile hundreds of files.
const { foldInThreads } = (await import(
  builtProgram('replayThreads')
)) as typeof import('../../src/cli/replayThreads.ts');

const AT = '2026-01-10T12:00:00.000Z';
/** Two threads read at least two pages each, and have some left. */
const STREAMS = 60;
const EVENTS_OF_A_STREAM = 100;

let long: string;
beforeAll(async () => {
  long = mkdtempSync(join(tmpdir(), 'replay-long-'));
  await writeLog(join(long, 'events.db'), STREAMS, EVENTS_OF_A_STREAM);
});
afterAll(() => rmSync(long, { recursive: true }));

let data: string;
let file: string;
let flag: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'replay-threads-'));
  file = join(data, 'events.db');
  flag = join(data, 'flag');
});
afterEach(() => rmSync(data, { recursive: true }));

const submitted = (jobId: string): NewEvent => ({
  id: randomUUID(),
  type: 'JobSubmitted',
  metadata: metadataAt(AT),
  data: {
    jobId,
    userId: 'user-1',
    url: 'https://a.example/',
    host: 'a.example',
    bounds: { maxPages: 1, maxMs: 1 },
    access: 'full',
    submittedAt: AT,
  },
});

const paid = (userId: string): NewEvent => ({
  id: randomUUID(),
  type: 'FundsAdded',
  metadata: metadataAt(AT),
  data: {
    userId,
    paymentIntentId: `pi_${userId}`,
    amount: 700,
    currency: 'usd',
    funds: 700,
    balance: 700,
    quantity: 1,
    addedAt: AT,
  },
});

const givenLog = (streams: number) => writeLog(file, streams);
/** Of several pages for each of two threads. */
const givenLongLog = () => copyFileSync(join(long, 'events.db'), file);

/** Jobs in streams of their own, with as many bills. */
async function writeLog(file: string, streams: number, each = 1): Promise<void> {
  const store = withStoredEvents(openSqliteEventStore({ file }));
  for (let nth = 0; nth < streams; nth += 1) {
    await store.append(`billing-user-${nth}`, [paid(`user-${nth}`)], { expected: 'no_stream' });
    const jobs = Array.from({ length: each }, () => submitted(`${nth}`));
    await store.append(`job-${nth}`, jobs, { expected: 'no_stream' });
  }
  await store.close();
}

/** A custom report that counts jobs; `first` runs before each event. */
function givenReport(first = '', state = 'jobs: 0'): string {
  const path = join(data, 'mine.mjs');
  writeFileSync(
    path,
    `import { existsSync, writeSync } from 'node:fs';
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    export default { name: 'mine', title: 'Mine', description: 'Mine', types: ['JobSubmitted'], initial: () => ({ ${state} }),
      evolve(state, event) { ${first}; state.jobs += 1; return state; },
      merge: (one, other) => ({ jobs: one.jobs + other.jobs }),
      tables: ({ jobs }) => [{ name: 'all', title: 'All', columns: [{ key: 'jobs', label: 'Jobs', kind: 'count' }], rows: [{ jobs }] }] };`,
  );
  return path;
}

/**
 * From its second page on, a thread waits for the flag, and then for longer than it folds without checking for
 * messages.
 */
const waitsForFlag = () =>
  `if (state.jobs > 0 && state.jobs % 1_000 === 0) { while (!existsSync(${JSON.stringify(flag)})) wait(1); wait(20); }`;

const unfoldedOf = (names: readonly string[]): Promise<readonly Folded[]> =>
  Promise.all(names.map(async (name) => unfolded(await reportOf(name), null)));

const never = new AbortController().signal;
const inThreads = (all: readonly Folded[], reports: readonly string[], more: Partial<Threaded> = {}) =>
  foldInThreads(all, {
    file,
    threads: 2,
    reports,
    signal: never,
    onProgress: () => undefined,
    onOpened: () => undefined,
    ...more,
  });

async function inOneReading(names: readonly string[]): Promise<readonly Folded[]> {
  const all = await unfoldedOf(names);
  const store = withStoredEvents(openSqliteEventStore({ file }));
  await foldSideBySide(all, { store });
  await store.close();
  return all;
}

const answers = (all: readonly Folded[]) => all.map((folded) => resultOf(folded, ALL, NOW));
const REPORTS = ['revenue', 'usage', 'mails', 'errors'];

/** The folds are unchanged, and the log is closed: otherwise no event store could be opened on it. */
async function expectNothingDone(all: readonly Folded[], names: readonly string[]): Promise<void> {
  expect(all).toEqual(await unfoldedOf(names));
  await openSqliteEventStore({ file }).close();
}

describe('reports in threads', () => {
  it.each([
    ['one thread', 1, 5],
    ['fewer events than threads', 3, 2],
    ['an empty log', 3, 0],
  ])('match those of a single pass: %s', async (_, threads, streams) => {
    await givenLog(streams);
    const reports = [...REPORTS, givenReport()];
    const all = await unfoldedOf(reports);
    expect(await inThreads(all, reports, { threads })).toBe(true);
    expect(answers(all)).toEqual(answers(await inOneReading(reports)));
    expect([all[0]?.events, all.at(-1)?.events]).toEqual([streams, streams]);
  });

  it.each([
    ['of a later version', (): void => undefined],
    ['that is damaged', (): void => damage()],
  ])('count an event %s once, whichever thread reads it', async (_, given) => {
    await givenLog(5);
    const store = openSqliteEventStore({ file });
    await store.append('job-9', [{ ...submitted('9'), metadata: { ...metadataAt(AT), schemaVersion: 99 } }], {
      expected: 'no_stream',
    });
    await store.close();
    given();
    const reports = [givenReport()];
    const all = await unfoldedOf(reports);
    expect(await inThreads(all, reports, { threads: 3 })).toBe(true);
    expect(answers(all)).toMatchObject([{ events: 5, note: '1 event of the log could not be read and is left out.' }]);
    expect(answers(all)).toEqual(answers(await inOneReading(reports)));
  });

  it('fail if a thread fails, and the other thread stops', async () => {
    givenLongLog();
    const reports = [givenReport(`if (event.stream === 'job-0') throw new Error('not this one'); ${waitsForFlag()}`)];
    const all = await unfoldedOf(reports);
    // After the error, which has stopped the other thread already.
    const watch = (worker: Worker) => worker.once('error', () => setImmediate(() => writeFileSync(flag, '')));
    process.on('worker', watch);
    let events = 0;
    const isDone = await inThreads(all, reports, { onProgress: (now) => (events = now.events) });
    process.off('worker', watch);
    expect(isDone).toBe(false);
    expect(events).toBeLessThanOrEqual(2_000);
    await expectNothingDone(all, reports);
  });

  it.each([
    ['a state cannot be passed on', 'jobs: 0, format: () => "x"', (): void => undefined],
    ['there is no log', 'jobs: 0', (): void => rmSync(file)],
  ])('fail if %s', async (_, state, given) => {
    await givenLog(4);
    const reports = ['usage', givenReport('', state)];
    const all = await unfoldedOf(reports);
    given();
    expect(await inThreads(all, reports)).toBe(false);
    expect(all.map(({ events, position }) => [events, position])).toEqual(
      (await unfoldedOf(reports)).map(({ events, position }) => [events, position]),
    );
  });

  it('stop in all threads when canceled', async () => {
    givenLongLog();
    const reports = [givenReport(waitsForFlag())];
    const all = await unfoldedOf(reports);
    const stopping = new AbortController();
    let events = 0;
    const onProgress = (now: RunProgress): void => {
      events = now.events;
      if (stopping.signal.aborted) return;
      stopping.abort(new Error('enough'));
      writeFileSync(flag, '');
    };
    await expect(inThreads(all, reports, { signal: stopping.signal, onProgress })).rejects.toThrow('enough');
    expect(events).toBeLessThanOrEqual(4_000);
    await expectNothingDone(all, reports);
  });

  it('do not start if already canceled', async () => {
    await givenLog(4);
    const reports = [givenReport()];
    const all = await unfoldedOf(reports);
    await expect(inThreads(all, reports, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    await expectNothingDone(all, reports);
  });
});

describe('npm run replay in threads', () => {
  const replay = (...args: readonly string[]) => runProgram('replay', ['--threads', '2', ...args], { DATA_DIR: data });

  it('reads the log in order if the threads cannot exchange a state', async () => {
    await givenLog(4);
    const { code, output } = await replay('--report', givenReport('', 'jobs: 0, format: () => "x"'), '--format', 'csv');
    expect([code, output]).toEqual([0, 'Jobs\r\n4\r\n']);
  });

  it('prints an error and no report if a report fails', async () => {
    await givenLog(4);
    const report = givenReport(`if (event.stream === 'job-2') throw new Error('not this one')`);
    const { code, output } = await replay('--report', `usage,${report}`);
    expect([code, output]).toEqual([1, expect.stringContaining('not this one')]);
    expect(output).not.toMatch(/Usage|Mine/);
  });

  it('says that an event is left out because it is damaged', async () => {
    await givenLog(4);
    damage();
    const { code, output } = await replay('--report', givenReport());
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('1 event of the log could not be read and is left out.'),
    ]);
    expect(output).toMatch(/from 3 events/);
  });

  it('exits without a report on Ctrl+C', async () => {
    givenLongLog();
    // Would take seconds if it were not interrupted.
    const report = givenReport(`if (state.jobs === 0) writeSync(2, 'folding\\n'); wait(1)`);
    const child = spawn(process.execPath, [builtProgram('replay'), '--threads', '2', '--report', report], {
      env: { PATH: process.env.PATH, DATA_DIR: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(output.replaceAll('folding\n', '')).toBe('Interrupted.\n');
    await openSqliteEventStore({ file }).close();
  });
});

/** The last event of the log is no longer JSON. */
function damage(): void {
  const db = new Database(file);
  db.prepare(`UPDATE events SET data = '{' WHERE position = (SELECT max(position) FROM events)`).run();
  db.close();
}
