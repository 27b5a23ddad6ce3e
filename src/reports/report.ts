/**
 * A report is a pure fold over the log, and the tables built from it. The fold does not depend on the request (it
 * counts by day), so one state answers every range and can be continued as events are added.
 */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportStep, ReportTable } from '../model/reports.ts';

/** `from` inclusive, `to` exclusive: UTC days (YYYY-MM-DD); null: from the start, up to now. */
export type ReportParams = { readonly from: string | null; readonly to: string | null; readonly by: ReportStep };

export type Report<State> = {
  /** The name used to request it: `revenue`. */
  readonly name: string;
  readonly title: string;
  /** One sentence: the question it answers. */
  readonly description: string;
  /**
   * Version of the fold, raised whenever the same events lead to a different state, so that no older saved state is
   * continued. Absent: no state is saved.
   */
  readonly version?: number;
  /** Types of the events it reads; it never receives others. */
  readonly types: readonly string[];
  readonly initial: () => State;
  /**
   * In log order, each event once. May change the given state, which nothing else holds. Depends only on the event: no
   * clock, no randomness.
   */
  readonly evolve: (state: State, event: RecordedEvent) => State;
  /**
   * Its fold uses neither `id` nor `stream` nor `revision` of an event, so the log is read without these, which is
   * faster. Default: it may.
   */
  readonly lean?: boolean;
  /**
   * Combines the states of two parts of the log, each with all events of some streams, into what the whole leads to;
   * associative, and in either order. May change the given states, which nothing else holds. Absent: an event may
   * matter to events of other streams, so the log is folded in its order.
   */
  readonly merge?: (one: State, other: State) => State;
  /**
   * Pure; does not change the state. `asOf`: time of the latest event read, UTC ISO; the result may depend on its day
   * but not on its time of day.
   */
  readonly tables: (state: State, params: ReportParams & { readonly asOf: string }) => readonly ReportTable[];
};

/** Any report, as a runner sees it. */
// biome-ignore lint/suspicious/noExplicitAny: a runner handles the states of all reports alike.
export type AnyReport = Report<any>;
