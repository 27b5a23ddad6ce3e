/** Goes through the whole log once a day, a step at a time, and keeps what it found for the page of the system and for the mails to the operator. */
import { z } from 'zod';
import { comparePositions, type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';

/** What a step found. No value of an event is in it. */
export type VerifiedStep = {
  /** Looked at for the first time in this pass. */
  readonly events: number;
  readonly faults: number;
  /** Without a hash and no damage, in the whole log; told with the last step. */
  readonly unsealed: number;
  /** The first of the faults, in words. */
  readonly first: string | null;
  /** Up to where it went. */
  readonly position: Position;
  /** Nothing was left. */
  readonly end: boolean;
  /** Which one the pass holds the log against; null: none. */
  readonly checkpoint: string | null;
  /** It took nothing: the pass has to begin from the start, because what it held the log against is not there any more. */
  readonly isAnew?: true;
};

/** `begun` and `turn`: when the pass began (UTC ISO), and its number. `after`: up to where its steps have come. */
export type VerifyStep = (pass: {
  readonly begun: string;
  readonly turn: number;
  readonly after: Position;
  readonly checkpoint: string | null;
  readonly signal: AbortSignal;
}) => Promise<VerifiedStep>;

const Pass = z.object({ at: z.string(), position: z.string(), events: z.int(), faults: z.int(), unsealed: z.int().default(0), first: z.string().nullable() });

/** Of a whole log, or as far as it has been gone through. `at`: when it was finished, or begun. */
export type VerifiedPass = z.infer<typeof Pass>;

/** A pass that an earlier version began is begun anew. */
const Running = Pass.extend({ checkpoint: z.string().nullable() }).nullable().catch(null);
/** `turn`: so many passes have come to their end. */
const Kept = z.object({ done: Pass.nullable(), running: Running, turn: z.int().nonnegative().default(0) });
type Kept = z.infer<typeof Kept>;

/** A step a minute takes a second of a process: a log of a million events is gone through in less than an hour, one of ten million in a night. */
const EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const VERIFIED_LOG = 'verifiedLog';

/** What the runs have come to; null when that is not known. */
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
      // The time of the last whole pass may also lie ahead, where the clock was set back.
      const age = done === null ? DAY_MS : Math.abs(Date.parse(now()) - Date.parse(done.at));
      if (running === null && age < DAY_MS) return { done: 0, kept };
      // A position ahead of the log is of a log that was replaced by an older one.
      const isOfThisLog = running !== null && comparePositions(running.position, await head()) <= 0;
      const begun = isOfThisLog ? running : { at: now(), position: START, events: 0, faults: 0, unsealed: 0, first: null, checkpoint: null };
      const step = await verifyStep({ begun: begun.at, turn, after: begun.position, checkpoint: begun.checkpoint, signal });
      if (step.isAnew) return { done: 0, kept: JSON.stringify({ done, running: null, turn } satisfies Kept) };
      const pass: VerifiedPass = {
        at: step.end ? now() : begun.at,
        position: step.position,
        events: begun.events + step.events,
        faults: begun.faults + step.faults,
        unsealed: step.unsealed,
        first: begun.first ?? step.first,
      };
      const next: Kept = step.end ? { done: pass, running: null, turn: turn + 1 } : { done, running: { ...pass, checkpoint: step.checkpoint }, turn };
      return { done: step.faults, kept: JSON.stringify(next) };
    },
  };
}
