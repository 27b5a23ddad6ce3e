/**
 * Current progress of running audits. Not a fact: it is not logged; if it is lost, the next page read brings it back.
 */
import type { PageCounts } from './job.ts';

export type ProgressTick = PageCounts & { readonly jobId: string };

export type LiveProgress = {
  readonly report: (tick: ProgressTick) => void;
  /** Discards live progress: the job has ended or been interrupted. */
  readonly end: (jobId: string) => void;
  readonly of: (jobId: string) => ProgressTick | null;
  /** Returns a function that unsubscribes. */
  readonly listen: (listener: (tick: ProgressTick) => void) => () => void;
};
