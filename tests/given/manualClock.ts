/** A clock that moves only when a test moves it, with alarms that ring on the way. */
import type { Alarm } from '../../src/eventStore/bell.ts';

export type ManualClock = { readonly now: () => number; readonly alarm: Alarm; readonly advance: (ms: number) => void };

export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let time = startMs;
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  return {
    now: () => time,
    alarm(ms, ring) {
      const entry = { at: time + Math.max(0, ms), ring };
      alarms.add(entry);
      return () => alarms.delete(entry);
    },
    advance(ms) {
      time += ms;
      for (const entry of [...alarms].filter((one) => one.at <= time).sort((a, b) => a.at - b.at)) {
        alarms.delete(entry);
        entry.ring();
      }
    },
  };
}
