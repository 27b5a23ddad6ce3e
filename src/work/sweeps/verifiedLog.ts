/** Goes through the whole log once a day, a step at a time, and keeps what it found for the page of the system and for the mails to the operator. */
import { z } from 'zod';
import { comparePositions, type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';

/** What a step found. No value of an event is in it. */
export type VerifiedStep = {
  readonly events: number;
  readonly faults: number;
  /** The first of them, in words. */
  readonly first: string | null;
  /** Up to where it went. */
  readonly position: Position;
  /** Nothing was left. */
  readonly end: boolean;
  /** Some event of the log up to there names the one before it. */
  readonly isChained: boolean;
};

export type VerifyStep = (from: { readonly after: Position; readonly isChained: boolean; readonly signal: AbortSignal }) => Promise<VerifiedStep>;

const Pass = z.object({ at: z.string(), position: z.string(), events: z.int(), faults: z.int(), first: z.string().nullable() });

/** Of a whole log, or as far as it has been gone through. `at`: when it was finished, or begun. */
export type VerifiedPass = z.infer<typeof Pass>;

const Kept = z.object({ done: Pass.nullable(), running: Pass.extend({ isChained: z.boolean() }).nullable() });
type Kept = z.infer<typeof Kept>;

/** A step a minute takes a second of a process: a log of ten million events is gone through in a night. */
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
      const { done, running } = verifiedIn(kept) ?? { done: null, running: null };
      // The time of the last whole pass may also lie ahead, where the clock was set back.
      const age = done === null ? DAY_MS : Math.abs(Date.parse(now()) - Date.parse(done.at));
      if (running === null && age < DAY_MS) return { done: 0, kept };
      // A position ahead of the log is of a log that was replaced by an older one.
      const isOfThisLog = running !== null && comparePositions(running.position, await head()) <= 0;
      const begun = isOfThisLog ? running : { at: now(), position: START, events: 0, faults: 0, first: null, isChained: false };
      const step = await verifyStep({ after: begun.position, isChained: begun.isChained, signal });
      const pass: VerifiedPass = {
        at: step.end ? now() : begun.at,
        position: step.position,
        events: begun.events + step.events,
        faults: begun.faults + step.faults,
        first: begun.first ?? step.first,
      };
      const next: Kept = step.end ? { done: pass, running: null } : { done, running: { ...pass, isChained: step.isChained } };
      return { done: step.faults, kept: JSON.stringify(next) };
    },
  };
}
