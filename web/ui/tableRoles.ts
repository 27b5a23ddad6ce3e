/** Explicit, since browsers drop a table's semantics when it is laid out as a grid. */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
