import { describe, expect, it } from 'vitest';
import { reportCsv } from '../../src/model/reportCsv.ts';
import type { ReportColumn } from '../../src/model/reports.ts';

const column = (key: string, kind: ReportColumn['kind']): ReportColumn => ({ key, label: `The ${key}`, kind });

describe('a table of figures as CSV', () => {
  it('has its header when it has no rows', () => {
    expect(reportCsv({ columns: [column('day', 'date'), column('users', 'count')], rows: [] })).toBe(
      'The day,The users\r\n',
    );
  });

  it('has plain numbers', () => {
    const columns = [
      column('day', 'date'),
      column('paid', 'money'),
      column('rate', 'share'),
      column('wait', 'duration'),
      column('mean', 'number'),
    ];
    const rows = [
      { day: '2026-11-01', paid: 1_205, rate: 0.25, wait: 1_500, mean: 3.5, currency: 'usd' },
      { day: '2026-11-02', paid: -7, rate: null, wait: null, mean: null, currency: 'eur' },
      { day: '2026-11-03', paid: 1_205, rate: null, wait: null, mean: null, currency: 'jpy' },
    ];
    expect(reportCsv({ columns, rows })).toBe(
      'The day,The paid,The rate,The wait (seconds),The mean,Currency\r\n2026-11-01,12.05,0.25,1.5,3.5,usd\r\n2026-11-02,-0.07,,,,eur\r\n2026-11-03,1205,,,,jpy\r\n',
    );
  });

  it('names the currency once', () => {
    expect(
      reportCsv({
        columns: [column('currency', 'text'), column('paid', 'money')],
        rows: [{ currency: 'usd', paid: 100 }],
      }),
    ).toBe('The currency,The paid\r\nusd,1.00\r\n');
  });

  it.each([
    ['a, "b"', '"a, ""b"""'],
    ['two\nlines', '"two\nlines"'],
    ['=SUM(A1)', "'=SUM(A1)"],
    ['  +1', "'  +1"],
    ['@name', "'@name"],
    ['-', "'-"],
    ['plain', 'plain'],
  ])('keeps %j from breaking the file or becoming a formula', (text, cell) => {
    expect(reportCsv({ columns: [column('name', 'text')], rows: [{ name: text }] })).toBe(`The name\r\n${cell}\r\n`);
  });

  it('leaves negative numbers unescaped', () => {
    expect(reportCsv({ columns: [column('change', 'number')], rows: [{ change: -3 }] })).toBe('The change\r\n-3\r\n');
  });
});
