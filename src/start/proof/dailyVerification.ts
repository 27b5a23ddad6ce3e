/**
 * The steps of the daily log verification. Ids, references and the checkpoint are kept in memory between the steps of a
 * pass. A process that resumes a pass started by another (or by itself before a restart) first rereads the earlier part
 * to restore them; no fault is reported twice.
 */
import { ERASURE } from '../../commands/closedStreams.ts';
import { type AllRead, type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import { createPacing, type Pace } from '../../eventStore/pacing.ts';
import type { Fault } from '../../eventStore/verify/fault.ts';
import { beginVerification, type Verification } from '../../eventStore/verify/verification.ts';
import type { VerifiedStep, VerifyStep } from '../../work/sweeps/verifiedLog.ts';
import type { DailyProof } from './newestCheckpoint.ts';

/** Approximate duration of a step, next to other work, ms. */
const STEP_MS = 1_000;
const PAGE = 250;
/** At most about 60 MB of ids and references. */
const MOST_REMEMBERED = 500_000;

type DailyVerificationOptions = {
  /** As stored, without upcasts. */
  readonly storedLog: EventStore;
  /** The checkpoint to compare the log with, for the given pass. Never rejects. */
  readonly proof?: (turn: number) => Promise<DailyProof | null>;
  /** Ms, monotonic. */
  readonly elapsed?: () => number;
  readonly mostRemembered?: number;
  readonly page?: number;
};

type Pass = Parameters<VerifyStep>[0];

/** A pass as this process has it in memory. */
type PassState = {
  readonly begun: string;
  readonly checkpoint: string | null;
  readonly verification: Verification;
  /** Faults reported since the last step. */
  reported: Fault[];
  faults: number;
  /** How far earlier steps got, and how far this process has reread. */
  taken: Position;
  read: Position;
};

export function dailyVerification(options: DailyVerificationOptions): VerifyStep {
  const { elapsed = () => performance.now() } = options;
  let held: PassState | null = null;
  return async (pass) => {
    const isSamePass = held !== null && held.begun === pass.begun && held.taken === pass.after;
    const problems: string[] = [];
    const going = isSamePass && held !== null ? held : await beginPass(options, pass, problems);
    // Memory is ahead of the stored state until the step has completed.
    held = null;
    // Not the checkpoint that the pass began with: the part already read was not compared with it.
    if (pass.after !== START && going.checkpoint !== pass.checkpoint) return { ...nothing(START), isAnew: true };
    const step = await takeStep(going, { page: PAGE, ...options, elapsed }, pass);
    if (!step.end) held = going;
    const [problem] = pass.after === START ? problems : [];
    return problem === undefined ? step : { ...step, faults: step.faults + 1, first: problem };
  };
}

const nothing = (position: Position): VerifiedStep => ({
  events: 0,
  faults: 0,
  unsealed: 0,
  first: null,
  position,
  end: false,
  checkpoint: null,
});

async function beginPass(
  { storedLog, proof, mostRemembered = MOST_REMEMBERED }: DailyVerificationOptions,
  pass: Pass,
  problems: string[],
): Promise<PassState> {
  const { begun, turn, after } = pass;
  const checkpoint = (await proof?.(turn)) ?? null;
  if (checkpoint !== null && 'problem' in checkpoint) problems.push(checkpoint.problem);
  const sealed = checkpoint !== null && 'sealed' in checkpoint ? checkpoint.sealed : null;
  const onFault = (fault: Fault): void => {
    held.faults += 1;
    if (held.reported.length === 0) held.reported.push(fault);
  };
  const verification = beginVerification({ store: storedLog, erasure: ERASURE, sealed, mostRemembered, turn, onFault });
  const held: PassState = {
    begun,
    checkpoint: checkpoint?.id ?? null,
    verification,
    reported: [],
    faults: 0,
    taken: after,
    read: START,
  };
  return held;
}

type Stepping = Pick<DailyVerificationOptions, 'storedLog'> &
  Required<Pick<DailyVerificationOptions, 'elapsed' | 'page'>>;

/** Reads at least one page. @throws the signal's reason; the store's errors */
async function takeStep(
  held: PassState,
  { storedLog, elapsed, page }: Stepping,
  { signal }: Pass,
): Promise<VerifiedStep> {
  const pace = createPacing(elapsed)('background');
  const began = elapsed();
  const before = held.verification.counts.events;
  held.reported = [];
  held.faults = 0;
  let end = false;
  do {
    signal.throwIfAborted();
    end = await takePage(held, await storedLog.readAll({ after: held.read, limit: page }), pace);
  } while (!end && elapsed() - began < STEP_MS);
  const ended = end ? await held.verification.end(pace) : null;
  const [first] = held.reported;
  return {
    events: held.verification.counts.events - before,
    faults: held.faults,
    position: held.taken,
    end,
    checkpoint: held.checkpoint,
    unsealed: ended?.unsealed.events ?? 0,
    first:
      first === undefined
        ? null
        : `${first.type} at revision ${first.revision} of ${first.stream} (position ${first.position}). ${first.text}`,
  };
}

/** True if nothing was left. */
async function takePage(held: PassState, page: AllRead, pace: Pace): Promise<boolean> {
  for (const event of page.events) {
    await (event.position <= held.taken ? held.verification.recall(event) : held.verification.take(event));
    if (pace.isDue()) await pace.pass();
  }
  held.read = page.next;
  if (held.read > held.taken) held.taken = held.read;
  return page.end;
}
