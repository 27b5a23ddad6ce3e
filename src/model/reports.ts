/** Tables of figures: the output of a report in a terminal, a file, a page or the API. */

export const REPORT_STEPS = ['day', 'week', 'month'] as const;
export type ReportStep = (typeof REPORT_STEPS)[number];

/**
 * `count`: a whole number. `money`: a whole number in the smallest unit of the row's `currency`. `share`: 0 to 1, null
 * if the total is zero. `cost`: millionths of a US dollar. `duration`: milliseconds. `date`: the first UTC day of a
 * step (YYYY-MM-DD), or a UTC ISO time.
 */
export type ReportColumnKind = 'text' | 'date' | 'count' | 'number' | 'money' | 'cost' | 'share' | 'duration';

export type ReportColumn = { readonly key: string; readonly label: string; readonly kind: ReportColumnKind };

/** Values by column key, plus `currency` for money. */
export type ReportRow = Readonly<Record<string, string | number | null>>;

export type ReportTable = {
  /** Unique in its report, and used as its file name: `by-month`. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** What readers need to know to interpret the figures. */
  readonly note?: string;
  /** Chart: the column for the axis and the columns that are drawn. Absent: a table only. */
  readonly chart?: { readonly kind: 'line' | 'bar'; readonly x: string; readonly series: readonly string[] };
};

/** Names that links and scripts may still use, with today's. */
export const FORMER_REPORT_NAMES: ReadonlyMap<string, string> = new Map([['payouts', 'reconciliation']]);
