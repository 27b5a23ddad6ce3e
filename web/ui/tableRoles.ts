/** Spelled out because browsers forget what a table's parts are once they are laid out as a grid. */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
