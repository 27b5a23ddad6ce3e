/** The records of one audit's pages and links (`page-records-{jobId}`), written in parts small enough for every store. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { digestOf } from './digest.ts';
import type { PageRecordEvent, PageRecordsWritten } from './events.ts';

type Kind = PageRecordsWritten['data']['kind'];

/** Of `pages`: so many records, of `links`: so many links. `text`: a JSON list, compressed, in base64. */
export type PackedPart = { readonly rows: number; readonly text: string };

/** What is written so far, by kind; `parts`: the total. Digests replace the texts, which may take many megabytes. */
export type PageRecordsState = {
  readonly userId: string | null;
  readonly removed: boolean;
  readonly written: Readonly<Partial<Record<Kind, { readonly parts: number; readonly digests: readonly string[] }>>>;
};

export type PageRecordsCommand =
  | {
      readonly type: 'WritePageRecords';
      readonly jobId: string;
      readonly userId: string;
      readonly kind: Kind;
      /** As many as fit into one append: number `from` and following, of `total`. */
      readonly parts: readonly PackedPart[];
      readonly from: number;
      readonly total: number;
      readonly at: string;
    }
  | { readonly type: 'RemovePageRecords'; readonly jobId: string; readonly at: string };

export const pageRecordsDecider: Decider<PageRecordsState, PageRecordsCommand, PageRecordEvent> = {
  // A large audit takes many appends, each of which would otherwise read the whole stream again.
  keptFrom: 6,
  initialState: () => ({ userId: null, removed: false, written: {} }),
  evolve(state, event) {
    switch (event.type) {
      case 'PageRecordsWritten': {
        const { userId, kind, part, parts, text } = event.data;
        const before = part === 0 ? [] : (state.written[kind]?.digests ?? []);
        const written = { ...state.written, [kind]: { parts, digests: [...before, digestOf(text)] } };
        return { userId, removed: false, written };
      }
      case 'PageRecordsRemoved':
        return { userId: event.data.userId, removed: true, written: {} };
      default:
        event satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'WritePageRecords':
        return write(command, state);
      case 'RemovePageRecords':
        return state.userId === null || state.removed
          ? []
          : [
              {
                type: 'PageRecordsRemoved',
                data: { jobId: command.jobId, userId: state.userId, removedAt: command.at },
              },
            ];
      default:
        return unreachable(command);
    }
  },
};

/** No events if these parts are already written; others are replaced, starting with the first. */
function write(
  { jobId, userId, kind, parts, from, total, at }: Extract<PageRecordsCommand, { readonly type: 'WritePageRecords' }>,
  state: PageRecordsState,
): readonly PageRecordEvent[] {
  const begun = state.written[kind];
  if (begun?.parts === total && parts.every(({ text }, index) => begun.digests[from + index] === digestOf(text)))
    return [];
  if (from > 0 && (begun?.parts !== total || begun.digests.length !== from))
    throw new DomainError('REPORT_WRITTEN_TWICE', 'Another worker writes these records, too.');
  return parts.map(({ rows, text }, index) => ({
    type: 'PageRecordsWritten',
    data: { jobId, userId, kind, part: from + index, parts: total, rows, text, writtenAt: at },
  }));
}
