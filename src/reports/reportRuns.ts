/** Reports that people wait for: each answered in time, and one at a time for a key. */
import { DomainError } from '../domain/decider.ts';
import type { KeptReports } from './keptReports.ts';
import type { AnyReport } from './report.ts';
import type { Folded, RunProgress, Until } from './run.ts';

type Asked = {
  readonly report: AnyReport;
  readonly until: Until;
  /** Of the client. */
  readonly signal: AbortSignal;
  /** Seconds after which the answer says how far it is; undefined: then it is too late. */
  readonly wait: number | undefined;
  /** An API key that asks. */
  readonly keyId: string | undefined;
};

export type ReportRuns = {
  /** @throws DomainError REPORT_TOO_LONG, REPORT_RUNNING; the signal's reason */
  run(asked: Asked): Promise<{ readonly folded: Folded } | { readonly progress: RunProgress }>;
};

const NOTHING_YET: RunProgress = { done: 0, events: 0, secondsLeft: null };

/** `mostMs`: that long at most, which is less than any request may take. */
export function createReportRuns({ kept, mostMs }: { readonly kept: Pick<KeptReports, 'read'>; readonly mostMs: number }): ReportRuns {
  const running = new Set<string>();

  async function runFor({ report, until, signal, wait }: Asked): Promise<{ readonly folded: Folded } | { readonly progress: RunProgress }> {
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
      if (running.has(keyId)) throw new DomainError('REPORT_RUNNING', 'This key has a report running already. Ask again when it is done.');
      running.add(keyId);
      try {
        return await runFor(asked);
      } finally {
        running.delete(keyId);
      }
    },
  };
}
