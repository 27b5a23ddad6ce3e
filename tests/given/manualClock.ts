/** A clock that moves only when a test moves it, with timers that fire on the way. */
import type { Timer } from '../../src/eventStore/notifier.ts';

export type ManualClock = {
  readonly now: () => number;
  readonly timer: Timer;
  readonly advance: (ms: number) => void;
  /** Sets the clock forward or back without time passing: timers keep their remaining time. */
  readonly set: (byMs: number) => void;
};

export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let time = startMs;
  const timers = new Set<{ at: number; readonly notify: () => void }>();
  return {
    now: () => time,
    timer(ms, notify) {
      const entry = { at: time + Math.max(0, ms), notify };
      timers.add(entry);
      return () => timers.delete(entry);
    },
    advance(ms) {
      time += ms;
      for (const entry of [...timers].filter((one) => one.at <= time).sort((a, b) => a.at - b.at)) {
        timers.delete(entry);
        entry.notify();
      }
    },
    set(byMs) {
      time += byMs;
      for (const entry of timers) entry.at += byMs;
    },
  };
}
