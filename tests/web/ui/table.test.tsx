import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { type Column, turned } from '../../../web/ui/table/column.ts';
import { Table } from '../../../web/ui/table/Table.tsx';

const user = userEvent.setup();

interface Fruit {
  readonly name: string;
  readonly price: number;
}

const COLUMNS: readonly Column<Fruit>[] = [
  {
    id: 'name',
    name: 'Name',
    width: '1fr',
    sorts: true,
    cell: (fruit, { open, onToggle, detailId }) => (
      <button type="button" aria-expanded={open} aria-controls={open ? detailId : undefined} onClick={onToggle}>
        {fruit.name}
      </button>
    ),
  },
  { id: 'price', name: 'Price', width: '80px', sorts: true, named: true, cell: ({ price }) => price },
  { id: 'note', name: 'Note', width: '80px', cell: () => '–' },
];
const APPLE: Fruit = { name: 'Apple', price: 3 };
const PEAR: Fruit = { name: 'Pear', price: 2 };
const many = (length: number): Fruit[] => Array.from({ length }, (_, n) => ({ name: `Fruit ${n}`, price: n }));
const idOf = (fruit: Fruit): string => fruit.name;

const fruits = (props: Partial<ComponentProps<typeof Table<Fruit>>> & { rows: readonly Fruit[] }) => (
  <Table label="Fruits" columns={COLUMNS} idOf={idOf} card="" {...props} />
);
const table = () => screen.getByRole('table', { name: 'Fruits' });
const lines = (): HTMLElement[] => within(table()).getAllByRole('row').slice(1);
const heads = (): (string | null)[] =>
  within(table())
    .getAllByRole('columnheader')
    .map((head) => head.textContent);

function Sorted() {
  const [sorted, setSorted] = useState({ by: 'price', descending: true });
  const sign = sorted.descending ? -1 : 1;
  const rows = [APPLE, PEAR].sort(
    (a, b) => sign * (sorted.by === 'price' ? a.price - b.price : a.name.localeCompare(b.name)),
  );
  return fruits({ rows, sorted, onSort: (by) => setSorted(turned(sorted, by)) });
}

function Selected({ onSelect }: { onSelect: (selection: Record<string, true>) => void }) {
  const [selection, setSelection] = useState<Record<string, true>>({});
  const select = (next: Record<string, true>): void => {
    onSelect(next);
    setSelection(next);
  };
  return fruits({ rows: [APPLE, PEAR], selection, onSelect: select });
}

describe('a table', () => {
  it('without rows has its heads', () => {
    render(fruits({ rows: [] }));
    expect(heads()).toEqual(['Name', 'Price', 'Note']);
    expect(lines()).toEqual([]);
    expect(table()).toHaveAttribute('aria-rowcount', '1');
  });

  it('has a line per row, which says where in the table it is', () => {
    render(fruits({ rows: [APPLE, PEAR], total: 12 }));
    expect(lines().map((line) => line.textContent)).toEqual(['ApplePrice3–', 'PearPrice2–']);
    expect(lines().map((line) => line.getAttribute('aria-rowindex'))).toEqual(['2', '3']);
    expect(table()).toHaveAttribute('aria-rowcount', '13');
  });

  it('is sorted with the keyboard by the columns that can be, and the head keeps the focus', async () => {
    render(<Sorted />);
    const price = screen.getByRole('columnheader', { name: 'Price' });
    expect(price).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'none');
    expect(within(screen.getByRole('columnheader', { name: 'Note' })).queryByRole('button')).toBeNull();
    await user.tab();
    await user.tab();
    await user.keyboard('{Enter}');
    expect(price).toHaveAttribute('aria-sort', 'ascending');
    expect(within(price).getByRole('button')).toHaveFocus();
    expect(lines()[0]).toHaveTextContent('Pear');
  });

  it('in a fixed order has no buttons in its heads', () => {
    render(fruits({ rows: [APPLE], sorted: { by: 'price', descending: true } }));
    expect(within(screen.getByRole('columnheader', { name: 'Price' })).queryByRole('button')).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort');
  });

  it('shows the details of an opened row below it', async () => {
    render(fruits({ rows: [APPLE, PEAR], detail: ({ price }, id) => <p id={id}>costs {price}</p> }));
    await user.click(screen.getByRole('button', { name: 'Apple' }));
    expect(lines()[1]).toHaveTextContent('costs 3');
    expect(screen.getByRole('button', { name: 'Apple' })).toHaveAttribute(
      'aria-controls',
      screen.getByText('costs 3').id,
    );
    await user.click(screen.getByRole('button', { name: 'Apple' }));
    expect(screen.queryByText('costs 3')).toBeNull();
  });

  it('leaves out and orders columns', () => {
    const { rerender } = render(
      fruits({ rows: [APPLE], columnOrder: ['note', 'name'], columnVisibility: { price: false } }),
    );
    expect(heads()).toEqual(['Note', 'Name']);
    expect(lines()[0]).toHaveTextContent('–Apple');
    rerender(fruits({ rows: [APPLE], columnOrder: ['price'] }));
    expect(heads()).toEqual(['Price', 'Name', 'Note']);
  });

  it('has rows selected one by one or all at once', async () => {
    const seen: Record<string, true>[] = [];
    render(<Selected onSelect={(next) => seen.push(next)} />);
    const all = screen.getByRole('checkbox', { name: 'Select all' });
    await user.click(screen.getByRole('checkbox', { name: 'Select Pear' }));
    expect(seen.at(-1)).toEqual({ Pear: true });
    expect(all).toBePartiallyChecked();
    await user.click(all);
    expect(seen.at(-1)).toEqual({ Apple: true, Pear: true });
    expect(all).toBeChecked();
    await user.click(screen.getByRole('checkbox', { name: 'Select Apple' }));
    expect(seen.at(-1)).toEqual({ Pear: true });
  });

  it('has up to a hundred rows in the document, where the browser finds them', () => {
    render(fruits({ rows: many(100) }));
    expect(lines()).toHaveLength(100);
  });

  it('has of more only those near the window, each with its place among all', async () => {
    render(fruits({ rows: many(400) }));
    await waitFor(() => expect(lines().length).toBeLessThan(60));
    expect(lines().length).toBeGreaterThan(5);
    expect(table()).toHaveAttribute('aria-rowcount', '401');
    expect(lines()[0]).toHaveAttribute('aria-rowindex', '2');
    expect(lines()[0]).toHaveTextContent('Fruit 0');
  });
});
