/**
 * Checks the services that the product depends on: in the background, independent of requests, keeping the last result
 * and its time.
 */
import type { CheckedService } from '../../http/deps/system.ts';

export type ServiceFinding = Pick<CheckedService, 'status' | 'detail'>;
/** Rejects if the service is down, with the reason as the error's text. */
export type ServiceCheck = () => Promise<ServiceFinding>;

export type ServiceChecksOptions<Name extends string> = {
  readonly checks: Readonly<Record<Name, ServiceCheck>>;
  /** UTC ISO. */
  readonly now: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
  readonly timeoutMs?: number;
};

export type ServiceChecks<Name extends string> = {
  read(): Readonly<Record<Name, CheckedService>>;
  /** Resolves when the signal has aborted. Never rejects. */
  readonly done: Promise<void>;
};

const EVERY_MS = 30_000;
const TIMEOUT_MS = 3_000;
const NOT_YET: CheckedService = { status: 'degraded', detail: 'Not checked yet.', checkedAt: null, latencyMs: null };

export function runServiceChecks<Name extends string>(options: ServiceChecksOptions<Name>): ServiceChecks<Name> {
  const { checks, signal, sleep, everyMs = EVERY_MS } = options;
  const names = Object.keys(checks) as Name[];
  const known = Object.fromEntries(names.map((name) => [name, NOT_YET])) as Record<Name, CheckedService>;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await Promise.all(
        names.map(async (name) => {
          const checked = await check(options, checks[name]);
          if (!signal.aborted) known[name] = checked;
        }),
      );
      await sleep(everyMs, signal);
    }
  }
  return { read: () => ({ ...known }), done: run() };
}

async function check<Name extends string>(
  { now, clock, sleep, signal, timeoutMs = TIMEOUT_MS }: ServiceChecksOptions<Name>,
  ask: ServiceCheck,
): Promise<CheckedService> {
  const answered = new AbortController();
  const began = clock();
  const late = sleep(timeoutMs, AbortSignal.any([signal, answered.signal])).then((): ServiceFinding => {
    return { status: 'down', detail: `No answer within ${timeoutMs / 1_000} seconds.` };
  });
  const finding = await Promise.race([ask().catch(downBecause), late]);
  answered.abort();
  return {
    ...finding,
    checkedAt: now(),
    latencyMs: finding.status === 'not_configured' ? null : Math.round(clock() - began),
  };
}

function downBecause(error: unknown): ServiceFinding {
  return { status: 'down', detail: error instanceof Error ? error.message : 'It failed for an unknown reason.' };
}
