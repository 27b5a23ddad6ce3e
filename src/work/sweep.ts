/** A sweep: what time alone makes due. Run by the leader once a period; what it keeps is kept beside the claims, and losing that means one run more. One file each in `sweeps/`. */
export type Sweep = {
  readonly name: string;
  readonly everyMs: number;
  /** Safe to repeat. `kept` is what the last run answered; null after none, or when that was lost. */
  readonly run: (kept: string | null, signal: AbortSignal) => Promise<SweepRun>;
};

/** `passedOver`: errors of single things that hold up nobody else; they are logged, and not tried again. */
export type SweepRun = { readonly done: number; readonly kept: string | null; readonly passedOver?: readonly Error[] };
