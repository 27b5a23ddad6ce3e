/** How everything here is measured: two things in turns, in the same run, and the median of their ratio. */

/** One line of the table. */
export type Row = {
  readonly what: string;
  readonly ours: string;
  /** The raw limit or peer measured beside it, in the same run. */
  readonly limit: string;
  /** Ours to the limit, as a number to compare with the goal; null for what has no ratio. */
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
};

export type Bench = {
  /** Larger and slower sizes too. */
  readonly full: boolean;
  /** Interleaved rounds of each pair; at least 5 for figures to be quoted. */
  readonly rounds: number;
  /** Empty folder on the project's disk, removed afterwards. */
  readonly dir: string;
  /** A word on what is going on, to stderr. */
  readonly say: (text: string) => void;
};

/** One file per figure. Throws when it cannot be measured. */
export type Figure = { readonly name: string; readonly measure: (bench: Bench) => Promise<readonly Row[]> };

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) throw new Error('Nothing was measured.');
  const at = ((sorted.length - 1) * p) / 100;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

export type Compared = {
  /** Medians of each side over the rounds, in whatever unit the sides return. */
  readonly ours: number;
  readonly limit: number;
  /** Median of the rounds' own ratios ours/limit: noise that hits a whole round cancels out. */
  readonly ratio: number;
};

/** Runs both sides in turns, the first one changing from round to round, after one round that is thrown away. */
export async function compare(
  rounds: number,
  ours: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<Compared> {
  const pairs: { ours: number; limit: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: 0, limit: 0 };
    if (round % 2 === 0) pair.ours = await ours();
    pair.limit = await limit();
    if (round % 2 === 1) pair.ours = await ours();
    if (round > 0) pairs.push(pair);
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    limit: median(pairs.map((pair) => pair.limit)),
    ratio: median(pairs.map((pair) => pair.ours / pair.limit)),
  };
}

export function perSecond(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)}/s`;
}

export function milliseconds(value: number): string {
  if (value < 0.01) return `${Math.round(value * 1e6)} ns`;
  return value < 1
    ? `${Math.round(value * 1000)} µs`
    : value < 100
      ? `${value.toFixed(1)} ms`
      : `${Math.round(value).toLocaleString('en-US')} ms`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

/** A line for rates: more is better. `atLeast`: null for what has no goal. */
export function rateRow(what: string, compared: Compared, atLeast: number | null): Row {
  return {
    what,
    ours: perSecond(compared.ours),
    limit: perSecond(compared.limit),
    ratio: compared.ratio,
    goal: atLeast === null ? '–' : `≥ ${atLeast}`,
    met: atLeast === null || compared.ratio >= atLeast,
  };
}
