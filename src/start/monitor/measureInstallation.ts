/** What the system page shows of the installation, as figures for `/metrics`. */
import type { SystemState } from '../../http/deps/system.ts';
import type { InstallationMeasure } from '../../http/usage/metrics.ts';

/** The state reads every parked record: however often it is scraped, it is read once in this time. */
const CACHE_MS = 60_000;

/** `clock`: monotonic milliseconds. A failed reading is not kept. */
export function createInstallationMeasure(
  read: () => Promise<SystemState>,
  clock: () => number,
): { measure(): Promise<InstallationMeasure> } {
  let last: { readonly at: number; readonly state: Promise<InstallationMeasure> } | null = null;
  return {
    measure: () => {
      if (last && clock() - last.at < CACHE_MS) return last.state;
      const state = read().then(measureOf);
      const taken = { at: clock(), state };
      last = taken;
      state.catch(() => {
        if (last === taken) last = null;
      });
      return state;
    },
  };
}

function measureOf({ at, parked, mails, disk, backup, unknownPlans }: SystemState): InstallationMeasure {
  const age =
    backup === null
      ? Number.POSITIVE_INFINITY
      : backup === 'elsewhere'
        ? null
        : Math.max(0, (Date.parse(at) - Date.parse(backup.at)) / 1_000);
  return {
    parked: parked.total,
    failedMails: mails.failedToday - mails.refusedToday,
    disk,
    backupAgeSeconds: age,
    unknownPlans,
  };
}
