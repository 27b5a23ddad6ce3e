/** Current progress of running audits. Not a fact: it is not logged, stays in the process of its worker, and is lost on restart. */
export type ProgressTick = { readonly jobId: string; readonly pagesDone: number; readonly pagesKnown: number };

export type LiveProgress = {
  readonly report: (tick: ProgressTick) => void;
  /** Discards live progress: the log is now as current. */
  readonly end: (jobId: string) => void;
  readonly of: (jobId: string) => ProgressTick | null;
  /** Returns a function that unsubscribes. */
  readonly listen: (listener: (tick: ProgressTick) => void) => () => void;
};
