/** The output formats of a report in a terminal: the same figures in each. */
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import type { ReportTable } from '../../src/model/reports.ts';
import { formatted } from '../../src/reports/formats/formats.ts';
import type { ReportResult } from '../../src/reports/run.ts';

const money: ReportTable = {
  name: 'money',
  title: 'Money',
  columns: [
    { key: 'step', label: 'From', kind: 'date' },
    { key: 'what', label: 'What', kind: 'text' },
    { key: 'paid', label: 'Paid', kind: 'money' },
    { key: 'share', label: 'Share', kind: 'share' },
    { key: 'took', label: 'Took', kind: 'duration' },
    { key: 'times', label: 'Times', kind: 'count' },
    { key: 'mean', label: 'Mean', kind: 'number' },
    { key: 'tokens', label: 'Tokens', kind: 'cost' },
  ],
  rows: [
    {
      step: '2026-03-01',
      what: 'One | two',
      currency: 'usd',
      paid: 123_456,
      share: 0.5,
      took: 93_784_000,
      times: 1_234,
      mean: 1.5,
      tokens: 12_345,
    },
    {
      step: '2026-04-01',
      what: null,
      currency: 'eur',
      paid: -5,
      share: null,
      took: 320,
      times: 0,
      mean: null,
      tokens: null,
    },
  ],
  note: 'Each currency by itself.',
};
const empty: ReportTable = { name: 'empty', title: 'Nothing yet', columns: money.columns, rows: [] };
const result: ReportResult = {
  name: 'money',
  title: 'Money',
  description: 'What was paid.',
  params: { from: '2026-03-01', to: null, by: 'month' },
  asOf: '2026-05-01T00:00:00.000Z',
  events: 2,
  tables: [money, empty],
  note: null,
};

describe('a report', () => {
  it('as a table has aligned columns, numbers to the right', async () => {
    expect(await formatted('table', result, money)).toBe(
      [
        'Money',
        '',
        'From 2026-03-01 to the end, by month, as of 2026-05-01T00:00:00.000Z, from 2 events. Days are UTC.',
        '',
        'Money',
        '',
        'From        What            Paid  Share     Took  Times  Mean   Tokens',
        '2026-03-01  One | two  $1,234.56  50.0%  1 d 2 h  1,234   1.5  $0.0123',
        '2026-04-01  –             -€0.05      –   320 ms      0     –        –',
        '',
        'Each currency by itself.',
        '',
        'Nothing yet',
        '',
        'Nothing in this range.',
        '',
      ].join('\n'),
    );
  });

  it('as Markdown escapes its cells', async () => {
    const text = String(await formatted('md', result, money));
    expect(text).toContain('# Money\n\nFrom 2026-03-01');
    expect(text).toContain(
      '| From | What | Paid | Share | Took | Times | Mean | Tokens |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n| 2026-03-01 | One \\| two | $1,234.56 |',
    );
  });

  it('as JSON has all of it, money as whole numbers', async () => {
    expect(JSON.parse(String(await formatted('json', result, money)))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it('as CSV has one table', async () => {
    expect(await formatted('csv', result, money)).toBe(
      'From,What,Paid,Share,Took (seconds),Times,Mean,Tokens (USD),Currency\r\n2026-03-01,One | two,1234.56,0.5,93784,1234,1.5,0.012345,usd\r\n2026-04-01,,-0.05,,0.32,0,,,eur\r\n',
    );
  });

  it('as Parquet has the values with their types', async () => {
    const file = await formatted('parquet', result, money);
    if (typeof file === 'string') throw new Error('Parquet is no text');
    const rows = await parquetReadObjects({
      file: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
    });
    expect(rows).toEqual([
      {
        step: '2026-03-01',
        what: 'One | two',
        paid: 123_456n,
        share: 0.5,
        took: 93_784_000,
        times: 1_234n,
        mean: 1.5,
        tokens: 12_345n,
        currency: 'usd',
      },
      {
        step: '2026-04-01',
        what: null,
        paid: -5n,
        share: null,
        took: 320,
        times: 0n,
        mean: null,
        tokens: null,
        currency: 'eur',
      },
    ]);
    const none = await formatted('parquet', result, empty);
    if (typeof none === 'string') throw new Error('Parquet is no text');
    expect(
      await parquetReadObjects({
        file: none.buffer.slice(none.byteOffset, none.byteOffset + none.byteLength) as ArrayBuffer,
      }),
    ).toEqual([]);
  });
});
