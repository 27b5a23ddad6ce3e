/** The queries in `docs/analysts.md`, run against the export of a log with known figures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { duckDb } from '../given/duckDb.ts';
import { writeAnalystsLog } from '../given/product/analystsLog.ts';
import { appOver, EVENTS } from '../given/product/eventExport.ts';
import { runProgram } from '../given/product/program.ts';

const page = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8');
const [view = '', ...queries] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);

/** For what was exported over HTTP. */
const [, viewOfLines = ''] = /```\n(CREATE VIEW[\s\S]*?)```/.exec(page) ?? [];

const database = await duckDb();

let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'analysts-'));
  const store = withStoredEvents(openSqliteEventStore({ file: join(data, 'events.db') }));
  await writeAnalystsLog(store);
  await store.close();
});
afterAll(() => rmSync(data, { recursive: true }));

const ANSWERS: readonly (readonly Record<string, unknown>[])[] = [
  [
    { month: '2026-01', currency: 'usd', net: '7900' },
    { month: '2026-02', currency: 'usd', net: '2900' },
    { month: '2026-03', currency: 'usd', net: '10000' },
  ],
  [
    { jobs: '1', users: '1' },
    { jobs: '2', users: '1' },
    { jobs: '4', users: '1' },
  ],
  [{ jobs: '6', p50_seconds: 35, p95_seconds: 57.5 }],
  [{ code: 'SITE_UNREACHABLE', failed: '1' }],
  [{ users: '3', completed_one: '2', median_days: 18.5 }],
  [
    { mode: 'full', links: '1', views: '7', clicks: '0', sign_ups: '0' },
    { mode: 'preview', links: '2', views: '55', clicks: '8', sign_ups: '2' },
  ],
  [
    { kind: 'job_done', result: 'not_wanted', mails: '1' },
    { kind: 'job_done', result: 'sent', mails: '3' },
    { kind: 'receipt', result: 'sent', mails: '1' },
  ],
  [
    { hour_utc: '9', jobs: '4' },
    { hour_utc: '14', jobs: '2' },
    { hour_utc: '20', jobs: '1' },
  ],
  [{ sites: '3', audited_again: '2', mean_change: 5, better: '1' }],
  [
    { month: '2026-01', tier: 'tier1', subscriptions: '1' },
    { month: '2026-02', tier: 'tier1', subscriptions: '1' },
    { month: '2026-02', tier: 'tier2', subscriptions: '1' },
    { month: '2026-03', tier: 'tier2', subscriptions: '1' },
  ],
  [
    { month: '2026-01', model: 'model-x', audits: '2', tokens_in: '2400', tokens_out: '600', cost_micros: '16200' },
    { month: '2026-03', model: 'model-x', audits: '1', tokens_in: '1200', tokens_out: '300', cost_micros: null },
  ],
];

describe('docs/analysts.md', () => {
  it('the page for analysts has eleven questions', () => {
    expect(page.match(/^## \d+\. /gm)).toHaveLength(11);
    expect(queries).toHaveLength(11);
  });

  describe.skipIf(database === null).each([[[]], [['--anonymise']]])(
    'the questions for analysts, run against an export %s',
    (flags) => {
      let out: string;
      beforeAll(async () => {
        out = join(data, `export${flags.length}`);
        const { code, output } = await runProgram(
          'events',
          ['export', '--format', 'parquet', '--out', out, '--part-rows', '20', ...flags],
          { DATA_DIR: data },
        );
        expect(output).toContain('events in');
        expect(code).toBe(0);
        await database?.ask(view.replace("'events/", `'${out}/`));
      });
      afterAll(async () => {
        await database?.ask('DROP VIEW events');
      });

      it.each(queries.map((sql, index) => [index + 1, sql] as const))(
        'question %i gets the known answer',
        async (number, sql) => {
          expect(await database?.ask(sql)).toEqual(ANSWERS[number - 1]);
        },
      );

      it('has the columns that the page lists', async () => {
        const columns = await database?.ask('DESCRIBE events');
        const types = Object.fromEntries((columns ?? []).map((row) => [row.column_name, row.column_type]));
        const told = [...page.matchAll(/^\| (`[a-z_`, ]+`) \| ([A-Z, ]+) \|/gm)].flatMap(([, names = '', kinds = '']) =>
          names
            .split(', ')
            .map((name, index) => [name.replaceAll('`', ''), kinds.split(', ')[index] ?? kinds.split(', ')[0]]),
        );
        expect(Object.fromEntries(told)).toEqual(types);
      });
    },
  );

  it.skipIf(database === null)('the questions get the known answers from an export over HTTP, too', async () => {
    const log = withStoredEvents(openSqliteEventStore({ file: join(data, 'events.db') }));
    const { app, admin } = await appOver(log);
    const { text } = await admin.call('GET', EVENTS);
    await app.close();
    await log.close();
    const file = join(data, 'events.ndjson');
    writeFileSync(file, text);
    await database?.ask(viewOfLines.replace("'events.ndjson'", `'${file}'`));
    const answers: unknown[] = [];
    for (const sql of queries) answers.push(await database?.ask(sql));
    await database?.ask('DROP VIEW events');
    expect(answers).toEqual(ANSWERS);
  });
});
