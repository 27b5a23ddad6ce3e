/** How far running audits have come, as of this moment: no fact, so it is in no log, is lost with a restart, and stays where it is made. */
export type ProgressTick = { readonly jobId: string; readonly pagesDone: number; readonly pagesKnown: number };

export type LiveProgress = {
  readonly report: (tick: ProgressTick) => void;
  /** What the log says is as new from here on. */
  readonly end: (jobId: string) => void;
  readonly of: (jobId: string) => ProgressTick | null;
  /** Returns what ends it. */
  readonly listen: (listener: (tick: ProgressTick) => void) => () => void;
};
