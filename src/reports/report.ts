/**
 * What a report is: a pure fold over the log, and what is told of it. The fold knows nothing of what is asked (it counts by day), so that the same state
 * answers every range, and goes on from where it stood when more has happened.
 */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportStep, ReportTable } from '../model/reports.ts';

/** `from` inclusive, `to` exclusive: UTC days (YYYY-MM-DD); null: from the beginning, until now. */
export type ReportParams = { readonly from: string | null; readonly to: string | null; readonly by: ReportStep };

export type Report<State> = {
  /** As it is asked for: `revenue`. */
  readonly name: string;
  readonly title: string;
  /** One sentence: what it answers. */
  readonly description: string;
  /** Of the fold: raised whenever the same events lead to another state, so that no saved one of before is gone on from. Absent: none is saved. */
  readonly version?: number;
  /** Types of the events that it reads; others never reach it. */
  readonly types: readonly string[];
  readonly initial: () => State;
  /** In log order, each event once. It may change the state that it is given: nobody else holds it. No clock, no chance, nothing but the event. */
  readonly evolve: (state: State, event: RecordedEvent) => State;
  /** Pure; the state stays as it is. `asOf`: the time of what was read last, UTC ISO; what is told may depend on its day, not on its hour. */
  readonly tables: (state: State, params: ReportParams & { readonly asOf: string }) => readonly ReportTable[];
};

/** Any report, as whoever runs it sees it. */
// biome-ignore lint/suspicious/noExplicitAny: a runner handles the states of all reports alike.
export type AnyReport = Report<any>;
