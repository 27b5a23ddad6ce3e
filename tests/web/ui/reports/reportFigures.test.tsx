import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReportRow, ReportTable } from '../../../../src/model/reports.ts';
import { ReportFigures } from '../../../../web/ui/reports/ReportFigures.tsx';
import { drawnOf } from '../../../../web/ui/reports/reportSeries.ts';

const user = userEvent.setup();

function tableOf(rows: readonly ReportRow[], over: Partial<ReportTable> = {}): ReportTable {
  return {
    name: 'by-month',
    title: 'Revenue by month',
    columns: [
      { key: 'month', label: 'Month', kind: 'date' },
      { key: 'paid', label: 'Paid', kind: 'money' },
      { key: 'refunded', label: 'Refunded', kind: 'share' },
      { key: 'wait', label: 'Time to pay', kind: 'duration' },
      { key: 'users', label: 'Users', kind: 'count' },
    ],
    rows,
    note: 'Deleted accounts are not counted.',
    chart: { kind: 'line', x: 'month', series: ['paid'] },
    ...over,
  };
}

const month = (nth: number, over: ReportRow = {}): ReportRow => ({
  month: `${2000 + Math.floor(nth / 12)}-${String((nth % 12) + 1).padStart(2, '0')}-01`,
  paid: 125_000 + nth,
  currency: 'usd',
  refunded: 0.125,
  wait: 93_600_000,
  users: 12_400,
  ...over,
});

const show = (table: ReportTable) =>
  render(<ReportFigures table={table} by="month" fileName={`revenue-${table.name}`} />);
const cells = (row: HTMLElement): readonly (string | null)[] => [...row.children].map((cell) => cell.textContent);

let saved: { name: string; text: Promise<string> }[];
beforeEach(() => {
  saved = [];
  // Nothing has a size here, and without a size no chart is drawn.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ width: 480, height: 224 } as DOMRect);
  let blob: Blob | null = null;
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (given: Blob) => {
        blob = given;
        return 'blob:a-file';
      },
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (blob) saved.push({ name: this.download, text: blob.text() });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a report table', () => {
  it('says when it is empty, and offers no empty file', () => {
    show(tableOf([]));
    expect(screen.getByRole('heading', { name: 'Revenue by month' })).toBeVisible();
    expect(screen.getByText('Nothing in this range.')).toBeVisible();
    expect(screen.getByText('Deleted accounts are not counted.')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('formats values by the type of their column', async () => {
    show(tableOf([month(0)]));
    const [head, row] = screen.getAllByRole('row');
    expect(cells(head!)).toEqual(['Month', 'Paid', 'Refunded', 'Time to pay', 'Users']);
    expect(cells(row!)).toEqual(['Jan 1, 2000', '$1,250.00', '12.5%', '1 d 2 h', '12,400']);
    expect(within(row!).getByRole('rowheader')).toHaveTextContent('Jan 1, 2000');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('shows unknown values as such', () => {
    show(tableOf([month(0, { paid: null, refunded: null, wait: null })]));
    expect(cells(screen.getAllByRole('row')[1]!)).toEqual(['Jan 1, 2000', '–', '–', '–', '12,400']);
  });

  it('draws a chart that is hidden from screen readers, since the table has the same data', async () => {
    const { container } = show(tableOf([month(0), month(1), month(2)]));
    // Nothing is drawn here, as there is no canvas.
    await waitFor(() => expect(container.querySelector('[aria-hidden="true"].text-xs')).not.toBeNull());
    expect(screen.getByRole('region', { name: 'Revenue by month: table' })).toHaveAttribute('tabindex', '0');
  });

  it('draws bars, with one series per currency', async () => {
    const rows = [month(0), month(0, { currency: 'eur' }), month(1), month(1, { currency: 'eur' })];
    const { container } = show(tableOf(rows, { chart: { kind: 'bar', x: 'month', series: ['paid'] } }));
    expect(await screen.findByText('Paid (USD)')).toBeInTheDocument();
    expect(screen.getByText('Paid (EUR)')).toBeInTheDocument();
    expect(
      [...container.querySelectorAll('g[data-series]')].map((bars) => bars.querySelectorAll('rect').length),
    ).toEqual([2, 2]);
    // An axis in one of the currencies would be wrong for the other.
    const ticks = () => [...container.querySelectorAll('text[data-tick=value]')].map(({ textContent }) => textContent);
    await waitFor(() => expect(ticks()).toEqual(['0', '500', '1,000', '1,500']));
    expect(ticks().join()).not.toMatch(/[$€]/);
    expect(cells(screen.getAllByRole('row')[2]!)[1]).toBe('€1,250.00');
  });

  it('keeps a place for months without a row: zero for sums, a gap for averages', () => {
    const chart = { kind: 'bar' as const, x: 'month', series: ['paid', 'refunded'] };
    const points = (rows: readonly ReportRow[], by: 'day' | 'month' = 'month') =>
      drawnOf(tableOf(rows, { chart }), by)?.points;
    expect(points([month(0), month(3)])).toEqual([
      { x: '2000-01-01', paid: 125_000, refunded: 0.125 },
      { x: '2000-02-01', paid: 0, refunded: null },
      { x: '2000-03-01', paid: 0, refunded: null },
      { x: '2000-04-01', paid: 125_003, refunded: 0.125 },
    ]);
    expect(points([month(0), month(1)], 'day')).toHaveLength(32);
    const [first] = points([month(0), month(1, { currency: 'eur' })]) ?? [];
    expect(first).toEqual({ x: '2000-01-01', 'paid usd': 125_000, 'paid eur': 0, refunded: 0.125 });
  });

  it('labels every bar of named values', async () => {
    const names = [
      'Signed up',
      'Confirmed the email',
      'First audit',
      'Report opened',
      'First item completed',
      'Purchase',
    ];
    const columns = [
      { key: 'step', label: 'Step', kind: 'text' } as const,
      { key: 'users', label: 'Users', kind: 'count' } as const,
    ];
    const rows = names.map((step, nth) => ({ step, users: 10 - nth }));
    const { container } = show(tableOf(rows, { columns, chart: { kind: 'bar', x: 'step', series: ['users'] } }));
    const labels = () =>
      [...container.querySelectorAll('[aria-hidden="true"] li > span:first-child')].map(
        ({ textContent }) => textContent,
      );
    await waitFor(() => expect(labels()).toEqual(names));
  });

  it('draws no chart where the report declares none', () => {
    const { chart: _, ...table } = tableOf([month(0)]);
    const { container } = show(table);
    expect(container.querySelector('[aria-hidden="true"].text-xs')).toBeNull();
    expect(screen.getByRole('table')).toBeVisible();
  });

  it('pages through many rows', async () => {
    show(tableOf(Array.from({ length: 120 }, (_, nth) => month(nth))));
    expect(screen.getAllByRole('row')).toHaveLength(51);
    expect(screen.getByText('1–50 of 120')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Previous rows' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Next rows' }));
    await user.click(screen.getByRole('button', { name: 'Next rows' }));
    expect(screen.getByText('101–120 of 120')).toBeVisible();
    expect(screen.getAllByRole('row')).toHaveLength(21);
    expect(screen.getByRole('button', { name: 'Next rows' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Next rows' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Previous rows' }));
    expect(screen.getByText('51–100 of 120')).toBeVisible();
  });

  it('returns to the first page when there are fewer rows', async () => {
    const { rerender } = show(tableOf(Array.from({ length: 120 }, (_, nth) => month(nth))));
    await user.click(screen.getByRole('button', { name: 'Next rows' }));
    rerender(<ReportFigures table={tableOf([month(0)])} by="month" fileName="revenue" />);
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });

  it('downloads all of its rows as a file', async () => {
    show(tableOf(Array.from({ length: 120 }, (_, nth) => month(nth))));
    await user.click(screen.getByRole('button', { name: 'Download CSV: Revenue by month' }));
    expect(saved.map(({ name }) => name)).toEqual(['revenue-by-month.csv']);
    const lines = (await saved[0]!.text).split('\r\n');
    expect(lines).toHaveLength(122);
    expect(lines.slice(0, 2)).toEqual([
      'Month,Paid,Refunded,Time to pay (seconds),Users,Currency',
      '2000-01-01,1250.00,0.125,93600,12400,usd',
    ]);
  });
});
