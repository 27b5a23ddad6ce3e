/**
 * A sweep: periodic work. Run by the leader once per period; its state is stored next to the claims, and losing it
 * means one extra run. One file each in `sweeps/`.
 */
export type Sweep = {
  readonly name: string;
  readonly everyMs: number;
  /** Safe to repeat. `kept` is the state returned by the last run; null after none, or if it was lost. */
  readonly run: (kept: string | null, signal: AbortSignal) => Promise<SweepRun>;
};

/** `passedOver`: errors of single items that do not hold up others; they are logged and not retried. */
export type SweepRun = { readonly done: number; readonly kept: string | null; readonly passedOver?: readonly Error[] };
