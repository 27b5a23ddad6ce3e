/** `npm run replay`, run as a user runs it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadInput } from '../../src/cli/logAt.ts';
import { reportOf, scaffoldReport } from '../../src/cli/ownReport.ts';
import { checkTarget } from '../../src/cli/reportOutput.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { currentReads, withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { foldOn, resultOf, unfolded } from '../../src/reports/run.ts';
import { runProgram } from '../given/product/program.ts';
import { ALL, happened, write } from '../given/reports.ts';
import { type HeldLog, holdLog } from '../given/stores/heldLog.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

let data: string;
let held: HeldLog | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterEach(async () => {
  await held?.close();
  held = null;
  rmSync(data, { recursive: true });
});

const replay = (...args: readonly string[]) => runProgram('replay', args, { DATA_DIR: data });
const on = (month: number): string => `2026-0${month}-10T12:00:00.000Z`;
const paid = (month: number, amount: number) =>
  happened('billing-user-1', on(month), 'FundsAdded', {
    userId: 'user-1',
    paymentIntentId: `pi_${month}`,
    amount,
    currency: 'usd',
    funds: amount,
    balance: amount,
    quantity: 1,
    addedAt: on(month),
  });
const submitted = (host: string) =>
  happened(`job-${host}`, on(1), 'JobSubmitted', {
    jobId: host,
    userId: 'user-1',
    url: `https://${host}/`,
    host,
    bounds: { maxPages: 1, maxMs: 1 },
    access: 'full',
    submittedAt: on(1),
  });

async function givenLog(): Promise<void> {
  const store = withStoredEvents(openSqliteEventStore({ file: join(data, 'events.db') }));
  await write(
    store,
    paid(1, 5_000),
    submitted('a.example.org'),
    submitted('b.example.com'),
    submitted('c.example.com'),
    paid(2, 700),
  );
  await store.close();
}

/** Of one report alone, in this process. */
async function tablesOf(name: string): Promise<unknown> {
  const folded = unfolded(await reportOf(name), null);
  const store = openSqliteEventStore({ file: join(data, 'events.db') });
  await foldOn(folded, { store: currentReads(store) });
  await store.close();
  return JSON.parse(JSON.stringify(resultOf(folded, ALL, new Date().toISOString()).tables));
}

describe('npm run replay', () => {
  it('lists the reports, without a log', async () => {
    const { code, output } = await replay('--list');
    expect(code).toBe(0);
    for (const name of ['revenue', 'usage', 'quality', 'mails', 'errors', 'reconciliation'])
      expect(output).toMatch(new RegExp(`^${name} `, 'm'));
  });

  it('prints a report as of now and as of a past day, in every format', async () => {
    await givenLog();
    const table = await replay('--report', 'revenue');
    expect([table.code, table.output]).toEqual([
      0,
      expect.stringMatching(/2026-02-01 +1 +\$7\.00 +\$0\.00 +\$0\.00 +\$7\.00/),
    ]);
    const csv = await replay('--report', 'revenue', '--as-of', '2026-01-31', '--format', 'csv');
    expect(csv.output).toContain(
      'From,Payments,Paid,Refunded,Disputed,Net,Currency\r\n2026-01-01,1,50.00,0.00,0.00,50.00,usd\r\n',
    );
    expect(csv.output).not.toContain('2026-02-01');
    expect(csv.output).toContain('There are also: by-plan,');
    const json = await replay('--report', 'revenue', '--from', '2026-02-01', '--by', 'day', '--format', 'json');
    expect(JSON.parse(json.output).tables[0].rows).toEqual([expect.objectContaining({ step: '2026-02-10', net: 700 })]);
    expect((await replay('--report', 'revenue', '--format', 'md')).output).toContain(
      '## Revenue over time\n\n| From | Payments |',
    );
    const file = join(data, 'revenue.parquet');
    expect((await replay('--report', 'revenue', '--format', 'parquet', '--table', 'by-plan', '--out', file)).code).toBe(
      0,
    );
    const bytes = readFileSync(file);
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
    });
    expect(rows).toEqual([expect.objectContaining({ kind: 'Reports', paid: 5_700n, currency: 'usd' })]);
  });

  it('computes several reports in one pass, each as if run alone', async () => {
    await givenLog();
    const together = await replay('--report', 'revenue,usage,errors', '--format', 'json');
    const [revenue, ...others] = JSON.parse(together.output).map(({ tables }: { tables: unknown }) => tables);
    expect(revenue).toEqual(JSON.parse((await replay('--report', 'revenue', '--format', 'json')).output).tables);
    expect(others).toEqual([await tablesOf('usage'), await tablesOf('errors')]);
    const text = (await replay('--report', 'revenue,payouts')).output;
    expect(text).toMatch(/^Revenue\n\n[\s\S]*\n\nPayments at the provider\n\n/);
    const out = join(data, 'reports');
    const file = join(data, 'mine.js');
    await replay('--scaffold', file);
    expect((await replay('--report', `errors,${file}`, '--format', 'csv', '--out', out)).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      'errors-failed.csv',
      'errors-given-up.csv',
      'errors-over-time.csv',
      'errors-retries.csv',
      'mine-over-time.csv',
    ]);
    expect(readFileSync(join(out, 'mine-over-time.csv'), 'utf8')).toContain('.com,2');
  });

  it('gets the same results with threads as in one pass, also beside a running server', async () => {
    await givenLog();
    const file = join(data, 'mine.js');
    writeFileSync(
      file,
      `export default { name: 'mine', title: 'Mine', description: 'Mine', types: ['JobSubmitted'], initial: () => ({ jobs: 0, threads: 1 }),
        evolve: (state, event) => ({ ...state, jobs: state.jobs + (event.stream.startsWith('job-') ? 1 : 0) }),
        merge: (one, other) => ({ jobs: one.jobs + other.jobs, threads: one.threads + other.threads }),
        tables: (state) => [{ name: 'all', title: 'All', columns: [{ key: 'jobs', label: 'Jobs', kind: 'count' }, { key: 'threads', label: 'Threads', kind: 'count' }], rows: [state] }] };`,
    );
    const tables = async (...args: readonly string[]) => {
      const { code, output } = await replay('--report', `revenue,errors,${file}`, '--format', 'json', ...args);
      expect([code, output]).toEqual([0, expect.stringMatching(/^\[/)]);
      return JSON.parse(output).map((report: { tables: unknown }) => report.tables);
    };
    const [revenue, errors, own] = await tables('--threads', '3');
    const one = await tables('--threads', '1');
    expect([revenue, errors]).toEqual(one.slice(0, 2));
    expect([own[0].rows, one[2][0].rows]).toEqual([[{ jobs: 3, threads: 3 }], [{ jobs: 3, threads: 1 }]]);
    held = await holdLog(data);
    const before = readdirSync(data);
    expect((await tables('--threads', '2'))[2][0].rows).toEqual([{ jobs: 3, threads: 2 }]);
    expect(readdirSync(data)).toEqual(before);
  });

  it('reads a copy beside a running server, and leaves no copy behind', async () => {
    await givenLog();
    held = await holdLog(data);
    const before = readdirSync(data);
    const { code, output } = await replay('--report', 'revenue', '--format', 'csv');
    expect([code, output]).toEqual([0, expect.stringContaining('2026-02-01,1,7.00')]);
    expect(readdirSync(data)).toEqual(before);
  });

  it('reads EventStoreDB, without events that were truncated but are still in $all', async () => {
    const server = await startEventStoreDbServer();
    try {
      const store = withStoredEvents(await openEventStoreDb({ url: server.url }));
      await write(store, paid(1, 5_000), paid(2, 700));
      await store.truncate('billing-user-1', 1n);
      await store.close();
      const { code, output } = await replay('--report', 'revenue', '--format', 'json', '--log', server.url);
      expect([code, JSON.parse(output).tables[0].rows]).toEqual([
        0,
        [expect.objectContaining({ step: '2026-02-01', net: 700 })],
      ]);
    } finally {
      await server.close();
    }
  });

  it('explains invalid arguments', async () => {
    expect(await replay('--report', 'revenue')).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no event log'),
    });
    await givenLog();
    const asked: readonly (readonly [string, readonly string[]])[] = [
      ['Name a report', []],
      ['There is no report profit. There are: revenue,', ['--report', 'revenue,profit']],
      ['It is a day', ['--report', 'revenue', '--from', '2026-02-30']],
      ['It is a day', ['--report', 'revenue', '--as-of', 'yesterday']],
      [
        '--from 2026-02-02 is after --to 2026-02-01',
        ['--report', 'revenue', '--from', '2026-02-02', '--to', '2026-02-01'],
      ],
      ['revenue is named twice', ['--report', 'revenue,usage,revenue']],
      ['name a folder for several', ['--report', 'revenue,usage', '--format', 'csv']],
      ['there is no table x', ['--report', 'revenue', '--format', 'csv', '--table', 'x']],
    ];
    for (const [text, args] of asked)
      expect([args, await replay(...args)]).toEqual([args, { code: 2, output: expect.stringContaining(text) }]);
    // Refused in the same way, by what the program calls before it opens a log.
    const called: readonly (readonly [string, () => unknown])[] = [
      ['There is no report profit. There are: revenue,', () => reportOf('profit')],
      ['no such file: ./nothing.ts', () => reportOf('./nothing.ts')],
      ['--table is for one report alone', () => checkTarget(2, { format: 'table', table: 'over-time' })],
      ['events.db is a file', () => checkTarget(2, { format: 'table', out: join(data, 'events.db') })],
    ];
    for (const [text, call] of called) expect(await refusalOf(call)).toContain(text);
  });
});

/** The message of a `BadInput`, which ends the program with code 2. */
async function refusalOf(call: () => unknown): Promise<string> {
  const error = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadInput);
  return (error as BadInput).message;
}

describe('a custom report', () => {
  it.each(['mine.js', 'mine.ts'])('can be scaffolded from a working example: %s', async (name) => {
    await givenLog();
    const file = join(data, name);
    expect(await replay('--scaffold', file)).toMatchObject({ code: 0 });
    expect(await refusalOf(() => scaffoldReport(file))).toContain('already exists');
    const { code, output } = await replay('--report', file, '--format', 'csv');
    expect([code, output]).toEqual([0, 'From,Top-level domain,Audits\r\n2026-01-01,.com,2\r\n2026-01-01,.org,1\r\n']);
  });

  it('is refused with what it lacks', async () => {
    await givenLog();
    const file = join(data, 'bad.js');
    const loaded = async (text: string) => {
      writeFileSync(file, text);
      const { code, output } = await replay('--report', file);
      return [code, output];
    };
    const whole = `name: 'bad', title: 'Bad', description: 'Bad', initial: () => 0, evolve: (state) => state`;
    expect(await loaded('export const report = 1;')).toEqual([
      2,
      expect.stringContaining('has no report as its default export'),
    ]);
    expect(
      await loaded(`export default { ${whole}, types: ['JobSubmitted'], tables: () => [{ name: 'x' }] };`),
    ).toEqual([2, expect.stringContaining('tables.0.title')]);
    expect(await loaded('this is no program')).toEqual([2, expect.stringContaining('cannot be loaded')]);
    const other = join(data, 'other.js');
    writeFileSync(other, `export default { ${whole}, types: ['NoSuchEvent'], tables: () => [] };`);
    expect(await refusalOf(() => reportOf(other))).toContain('Unknown event type NoSuchEvent');
  });
});
