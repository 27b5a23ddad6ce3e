/** The rows of one audit (`report-{jobId}`), written in parts small enough for every store. */
import { type Decider, DomainError } from '../decider.ts';
import { digestOf } from './digest.ts';
import type { ReportEvent, ReportRows } from './events.ts';

/** What is written so far, by kind; `parts`: the total. Digests replace the rows, which may take many megabytes. */
export type RowsState = Readonly<
  Partial<Record<ReportRows['kind'], { readonly parts: number; readonly digests: readonly string[] }>>
>;

export type RowsCommand = {
  readonly type: 'WriteReportRows';
  readonly jobId: string;
  readonly userId: string;
  /** Parts of one kind that fit into one append: number `from` and following, of `total`. */
  readonly parts: readonly ReportRows[];
  readonly from: number;
  readonly total: number;
  readonly at: string;
};

export const rowsDecider: Decider<RowsState, RowsCommand, ReportEvent> = {
  // A large report takes many appends, each of which would otherwise read the whole stream again.
  keptFrom: 6,
  initialState: () => ({}),
  evolve(state, event) {
    if (event.type !== 'ReportRowsWritten') return state;
    const { kind, part, parts, rows } = event.data;
    const { overview: _, ...others } = state;
    const kept = kind === 'findings' && part === 0 ? others : state;
    return {
      ...kept,
      [kind]: { parts, digests: [...(part === 0 ? [] : (state[kind]?.digests ?? [])), digestOf(JSON.stringify(rows))] },
    };
  },
  /**
   * No events if these parts are already written; parts of a different version are replaced, starting with the first.
   */
  decide({ jobId, userId, parts, from, total, at }, state) {
    const begun = state[parts[0]?.kind ?? 'overview'];
    if (
      begun?.parts === total &&
      parts.every(({ rows }, index) => begun.digests[from + index] === digestOf(JSON.stringify(rows)))
    )
      return [];
    if (from > 0 && (begun?.parts !== total || begun.digests.length !== from)) {
      throw new DomainError('REPORT_WRITTEN_TWICE', 'Another worker writes this report, too.');
    }
    return parts.map((rows, index) => ({
      type: 'ReportRowsWritten',
      data: { jobId, userId, part: from + index, parts: total, writtenAt: at, ...rows },
    }));
  },
};
