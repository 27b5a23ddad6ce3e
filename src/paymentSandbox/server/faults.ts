/** Faults on demand: until revoked, a number of times, or in a share of cases. */
import * as z from 'zod';

export const FAULT = z.strictObject({
  effect: z.enum([
    'lose_answer',
    'rate_limit',
    'server_error',
    'slow',
    'webhook_delay',
    'webhook_double',
    'webhook_lose',
    'webhook_shuffle',
  ]),
  /** Share of the matching cases; 1 is all of them. */
  share: z.number().min(0).max(1).default(1),
  /** At most this many times. */
  times: z.int().min(1).optional(),
  /** A substring of `POST /v1/refunds`, or of an event's type. */
  match: z.string().max(200).default(''),
  /** The delay, or the time window to shuffle within. */
  ms: z.int().min(0).max(86_400_000).default(1_000),
});
export type Fault = z.infer<typeof FAULT>;
export type Effect = Fault['effect'];

export type Faults = {
  /** Replaces all current faults. */
  set(faults: readonly Fault[]): void;
  list(): readonly Fault[];
  /** How often each has struck since the start. */
  struck(): Readonly<Partial<Record<Effect, number>>>;
  /** The fault that strikes this case, which counts as struck. */
  strikes(effect: Effect, what: string): Fault | undefined;
};

export function createFaults(random: () => number): Faults {
  let kept: Fault[] = [];
  const struck: Partial<Record<Effect, number>> = {};
  return {
    set: (faults) => {
      kept = faults.map((fault) => ({ ...fault }));
    },
    list: () => kept,
    struck: () => struck,
    strikes: (effect, what) => {
      const fault = kept.find(
        (each) =>
          each.effect === effect &&
          what.includes(each.match) &&
          each.times !== 0 &&
          (each.share === 1 || random() < each.share),
      );
      if (fault?.times !== undefined) fault.times -= 1;
      if (fault) struck[effect] = (struck[effect] ?? 0) + 1;
      return fault;
    },
  };
}

/** From 0 up to 1; the same seed yields the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
