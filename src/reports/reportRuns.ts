/** Runs reports for waiting clients: each within a time limit, and one at a time per API key. */
import { DomainError } from '../domain/decider.ts';
import type { KeptReports } from './keptReports.ts';
import type { AnyReport } from './report.ts';
import type { Folded, RunProgress, Until } from './run.ts';

type RunRequest = {
  readonly report: AnyReport;
  readonly until: Until;
  /** The client's. */
  readonly signal: AbortSignal;
  /** Seconds after which to answer with the progress so far; undefined: fail when the time limit is reached. */
  readonly wait: number | undefined;
  /** The API key making the request. */
  readonly keyId: string | undefined;
};

export type ReportRuns = {
  /** @throws DomainError REPORT_TOO_LONG, REPORT_RUNNING; the signal's reason */
  run(asked: RunRequest): Promise<{ readonly folded: Folded } | { readonly progress: RunProgress }>;
};

const NOTHING_YET: RunProgress = { done: 0, events: 0, secondsLeft: null };

/** `mostMs`: time limit, shorter than that of any request. */
export function createReportRuns({
  kept,
  mostMs,
}: {
  readonly kept: Pick<KeptReports, 'read'>;
  readonly mostMs: number;
}): ReportRuns {
  const running = new Set<string>();

  async function runFor({
    report,
    until,
    signal,
    wait,
  }: RunRequest): Promise<{ readonly folded: Folded } | { readonly progress: RunProgress }> {
    const late = AbortSignal.timeout(wait === undefined ? mostMs : Math.min(mostMs, wait * 1_000));
    let progress = NOTHING_YET;
    const onProgress = (now: RunProgress): void => {
      progress = now;
    };
    try {
      return { folded: await kept.read({ report, until, signal: AbortSignal.any([signal, late]), onProgress }) };
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error;
      if (wait !== undefined) return { progress };
      throw new DomainError(
        'REPORT_TOO_LONG',
        'This report takes too long for an answer here. Ask again in a moment, or run it in a terminal: npm run replay.',
      );
    }
  }

  return {
    async run(asked) {
      const { keyId } = asked;
      if (keyId === undefined) return runFor(asked);
      if (running.has(keyId))
        throw new DomainError('REPORT_RUNNING', 'This key has a report running already. Ask again when it is done.');
      running.add(keyId);
      try {
        return await runFor(asked);
      } finally {
        running.delete(keyId);
      }
    },
  };
}
