/** Tables of figures: what a report gives, in a terminal, as a file, on a page and over the API. */

export const REPORT_STEPS = ['day', 'week', 'month'] as const;
export type ReportStep = (typeof REPORT_STEPS)[number];

/**
 * `count`: a whole number. `money`: a whole number in the smallest unit of the row's `currency`. `share`: 0 to 1, null when there is nothing to take it of.
 * `cost`: millionths of a US dollar. `duration`: milliseconds. `date`: the first UTC day of a step (YYYY-MM-DD), or a UTC ISO time.
 */
export type ReportColumnKind = 'text' | 'date' | 'count' | 'number' | 'money' | 'cost' | 'share' | 'duration';

export type ReportColumn = { readonly key: string; readonly label: string; readonly kind: ReportColumnKind };

/** Values by the key of their column; `currency` beside money. */
export type ReportRow = Readonly<Record<string, string | number | null>>;

export type ReportTable = {
  /** Unique in its report, and the name of its file: `by-month`. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** What somebody has to know who reads the figures. */
  readonly note?: string;
  /** How it is drawn: the column along the axis and those that are drawn. Absent: as a table alone. */
  readonly chart?: { readonly kind: 'line' | 'bar'; readonly x: string; readonly series: readonly string[] };
};
