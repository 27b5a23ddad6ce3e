/**
 * Claims while the log cannot be written, as with a full disk: each would be one that fails, and the claims themselves
 * would use up what space becomes free. So only one item of each kind is begun a second, to find out whether the log is back.
 */
import type { Result } from './performer.ts';

const TRY_EVERY_MS = 1_000;
/** An attempt that has lasted for so long has most likely written its first event, ms. */
const OVER_AFTER_MS = 10_000;

export function createOutage(now: () => string) {
  let failedAt: string | null = null;
  let triedAt = '';
  const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
  return {
    noteBegin(): void {
      triedAt = now();
    },
    noteEnd(result: Result): void {
      // Both are events in the log.
      if (result === 'settled' || result === 'given_up') failedAt = null;
      if (result !== 'unavailable') return;
      if (failedAt === null) triedAt = now();
      failedAt = now();
    },
    /** Until when nothing may begin (UTC ISO); null: something may. */
    closedUntil(): string | null {
      if (failedAt === null || later(failedAt, OVER_AFTER_MS) <= now()) return null;
      const at = later(triedAt, TRY_EVERY_MS);
      return at > now() ? at : null;
    },
  };
}
