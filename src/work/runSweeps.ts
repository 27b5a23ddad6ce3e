/**
 * Runs the sweeps: each once at the start if its last run is older than its period, then every period, never
 * concurrently with itself.
 */
import type { Marks } from '../readModels/claims.ts';
import type { Sweep } from './sweep.ts';

export type SweepsOptions = {
  readonly sweeps: readonly Sweep[];
  readonly marks: Marks;
  readonly signal: AbortSignal;
  /** UTC ISO. */
  readonly now: () => string;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Readonly<Record<'info' | 'error', (details: object, message: string) => void>>;
};

export type RunningSweeps = {
  /** Resolves when the signal has aborted and all have ended. Never rejects. */
  readonly done: Promise<void>;
};

/** Name of the mark with a sweep's last run and its state. */
export const sweepMark = (name: string): string => `sweep/${name}`;

/** The state kept by a sweep's last run; null after none. */
export async function keptBySweep(marks: Pick<Marks, 'read'>, name: string): Promise<string | null> {
  return parse(await marks.read(sweepMark(name)))?.kept ?? null;
}

/** Delay after a failure, unless its period is shorter. */
const RETRY_MS = 60_000;

type LastRun = { readonly ranAt: string; readonly kept: string | null };

export function runSweeps(options: SweepsOptions): RunningSweeps {
  return { done: Promise.all(options.sweeps.map((sweep) => keepSweeping(options, sweep))).then(() => undefined) };
}

async function keepSweeping(options: SweepsOptions, sweep: Sweep): Promise<void> {
  const { signal, sleep, log } = options;
  while (!signal.aborted) {
    let waitMs = Math.min(RETRY_MS, sweep.everyMs);
    try {
      waitMs = await runWhenDue(options, sweep);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error, sweep: sweep.name }, 'a sweep failed and will be retried');
    }
    if (!signal.aborted) await sleep(waitMs, signal);
  }
}

/** Returns the time until it is due again, ms. */
async function runWhenDue({ marks, signal, now, log }: SweepsOptions, sweep: Sweep): Promise<number> {
  const { name, everyMs } = sweep;
  const last = parse(await marks.read(sweepMark(name)));
  const begun = Date.parse(now());
  const age = last === null ? everyMs : begun - Date.parse(last.ranAt);
  // A negative age means that the clock was set back, and the time of the last run is unknown.
  if (age >= 0 && age < everyMs) return everyMs - age;
  const { done, kept, passedOver = [] } = await sweep.run(last?.kept ?? null, signal);
  for (const err of passedOver) log.error({ err, sweep: name }, 'a sweep skipped subjects that it could not process');
  // Interrupted: its result may be incomplete.
  if (signal.aborted) return everyMs;
  await marks.write(sweepMark(name), JSON.stringify({ ranAt: new Date(begun).toISOString(), kept } satisfies LastRun));
  if (done > 0) log.info({ sweep: name, done }, 'a sweep did pending work');
  return everyMs;
}

/** Null for none, and for an unreadable one: it then runs once more. */
function parse(mark: string | null): LastRun | null {
  if (mark === null) return null;
  try {
    const { ranAt, kept } = JSON.parse(mark) as Partial<LastRun>;
    const isKept = kept === null || typeof kept === 'string';
    return typeof ranAt === 'string' && !Number.isNaN(Date.parse(ranAt)) && isKept ? { ranAt, kept } : null;
  } catch {
    return null;
  }
}
