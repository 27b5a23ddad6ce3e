/** Records the outcomes of recent model calls. */
import type { AnalystCalls } from './analyst.ts';

const MOST_COUNTED = 50;

export type CallRecord = {
  succeeded(): void;
  fellBack(reason: string): void;
  read(coolingDown: boolean): AnalystCalls;
};

/** `now` returns ms since 1970. */
export function createCallRecord(now: () => number): CallRecord {
  /** Whether the model's text was used, per call, newest last. */
  const outcomes: boolean[] = [];
  let lastSuccessAt: string | null = null;
  let lastFailureAt: string | null = null;
  let failure: string | null = null;
  const count = (wasWritten: boolean): string => {
    outcomes.push(wasWritten);
    if (outcomes.length > MOST_COUNTED) outcomes.shift();
    return new Date(now()).toISOString();
  };
  return {
    succeeded() {
      lastSuccessAt = count(true);
      failure = null;
    },
    fellBack(reason) {
      lastFailureAt = count(false);
      failure = reason;
    },
    read: (coolingDown) => ({
      lastSuccessAt,
      lastFailureAt,
      failure,
      coolingDown,
      asked: outcomes.length,
      fellBack: outcomes.filter((wasWritten) => !wasWritten).length,
    }),
  };
}
