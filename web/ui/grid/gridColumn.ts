import type { ReactNode } from 'react';

export type Order = 'asc' | 'desc';

/** A column of a `Grid`: one line per cell. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly name: string;
  /** What its values say, in a sentence or two. */
  readonly about: string;
  readonly example?: string;
  /** Before the name. */
  readonly icon?: ReactNode;
  /** The name is written from the bottom up, in a narrow column; nothing but its value stands in a cell. */
  readonly upright?: boolean;
  /** Where the head leads, if its rows are not sorted. */
  readonly to?: string;
  /** In pixels, or as a length of CSS. */
  readonly width: number | string;
  /** Its values stand at its right edge, as numbers do. */
  readonly end?: boolean;
  /** The order of the first click on its head; absent: its rows are not sorted. */
  readonly first?: Order;
  readonly cell: (row: Row) => ReactNode;
}

export interface GridSort {
  readonly by: string;
  readonly order: Order;
}
