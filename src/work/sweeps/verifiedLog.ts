/**
 * Verifies the whole log once a day, step by step, and stores the findings for the system page and the emails to the
 * operator.
 */
import * as z from 'zod';
import { comparePositions, type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';

/** The findings of a step. Contains no values of events. */
export type VerifiedStep = {
  /** Verified for the first time in this pass. */
  readonly events: number;
  readonly faults: number;
  /** Events without a hash that are not damaged, in the whole log; reported with the last step. */
  readonly unsealed: number;
  /** The first of the faults, in words. */
  readonly first: string | null;
  /** How far it got. */
  readonly position: Position;
  /** Nothing was left. */
  readonly end: boolean;
  /** The checkpoint that the pass compares the log with; null: none. */
  readonly checkpoint: string | null;
  /** Nothing was verified: the pass has to restart, because its checkpoint no longer exists. */
  readonly isAnew?: true;
};

/** `begun` and `turn`: when the pass began (UTC ISO), and its number. `after`: how far its steps have come. */
export type VerifyStep = (pass: {
  readonly begun: string;
  readonly turn: number;
  readonly after: Position;
  readonly checkpoint: string | null;
  readonly signal: AbortSignal;
}) => Promise<VerifiedStep>;

const Pass = z.object({
  at: z.string(),
  position: z.string(),
  events: z.int(),
  faults: z.int(),
  unsealed: z.int().default(0),
  first: z.string().nullable(),
});

/** A complete pass, or the part done so far. `at`: when it was finished, or begun. */
export type VerifiedPass = z.infer<typeof Pass>;

/** A pass begun by an earlier version is restarted. */
const Running = Pass.extend({ checkpoint: z.string().nullable() }).nullable().catch(null);
/** `turn`: number of completed passes. */
const Kept = z.object({ done: Pass.nullable(), running: Running, turn: z.int().nonnegative().default(0) });
type Kept = z.infer<typeof Kept>;

/**
 * A step a minute takes a second of a process: a log of a million events is verified in less than an hour, one of ten
 * million in a night.
 */
const EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const VERIFIED_LOG = 'verifiedLog';

/** The result of the runs; null if unknown. */
export function verifiedIn(kept: string | null): Kept | null {
  try {
    return kept === null ? null : Kept.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}

type Deps = {
  readonly verifyStep: VerifyStep;
  readonly head: EventStore['head'];
  /** UTC ISO. */
  readonly now: () => string;
};

export function createVerifiedLog({ verifyStep, head, now }: Deps): Sweep {
  return {
    name: VERIFIED_LOG,
    everyMs: EVERY_MS,
    async run(kept, signal) {
      const { done, running, turn } = verifiedIn(kept) ?? { done: null, running: null, turn: 0 };
      // The time of the last complete pass may lie in the future if the clock was set back.
      const age = done === null ? DAY_MS : Math.abs(Date.parse(now()) - Date.parse(done.at));
      if (running === null && age < DAY_MS) return { done: 0, kept };
      // A position ahead of the log means that the log was replaced by an older one.
      const isOfThisLog = running !== null && comparePositions(running.position, await head()) <= 0;
      const begun = isOfThisLog
        ? running
        : { at: now(), position: START, events: 0, faults: 0, unsealed: 0, first: null, checkpoint: null };
      const step = await verifyStep({
        begun: begun.at,
        turn,
        after: begun.position,
        checkpoint: begun.checkpoint,
        signal,
      });
      if (step.isAnew) return { done: 0, kept: JSON.stringify({ done, running: null, turn } satisfies Kept) };
      const pass: VerifiedPass = {
        at: step.end ? now() : begun.at,
        position: step.position,
        events: begun.events + step.events,
        faults: begun.faults + step.faults,
        unsealed: step.unsealed,
        first: begun.first ?? step.first,
      };
      const next: Kept = step.end
        ? { done: pass, running: null, turn: turn + 1 }
        : { done, running: { ...pass, checkpoint: step.checkpoint }, turn };
      return { done: step.faults, kept: JSON.stringify(next) };
    },
  };
}
