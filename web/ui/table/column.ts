import type { ReactNode } from 'react';

/** What a cell may need of its row's state. */
export interface RowState {
  /** Its details are shown below it. */
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Id of the details. */
  readonly detailId: string;
}

/**
 * A column of a `Table`. Keep its identity from render to render: rows are rendered again when their columns change.
 */
export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  /** As a track of a CSS grid, such as `104px` or `minmax(0, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row, state: RowState) => ReactNode;
  /** Its head sorts the rows. */
  readonly sorts?: boolean;
  /** Its head stands at its right edge, as its cells' contents do. */
  readonly end?: boolean;
  /** On a card its name stands above its value. */
  readonly named?: boolean;
  /** For each of its cells. The variant `cards:` applies where rows are cards. */
  readonly className?: string;
}

export interface Sorted {
  readonly by: string;
  readonly descending: boolean;
}

/** The active column reverses its order; another one starts descending. */
export const turned = (sorted: Sorted, by: string): Sorted => ({
  by,
  descending: sorted.by !== by || !sorted.descending,
});

/** The rest of a table's rows is not in the document, so each says which one it is; the heads are the first. */
export const FIRST_ROW = 2;
