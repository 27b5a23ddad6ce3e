/** Live progress from a process's workers to its own sockets. If workers are separate processes, pages show the progress recorded in the log. */
import type { LiveProgress, ProgressTick } from '../domain/job/liveProgress.ts';

export function createLiveProgress(): LiveProgress {
  const latest = new Map<string, ProgressTick>();
  const listeners = new Set<(tick: ProgressTick) => void>();
  return {
    report(tick) {
      latest.set(tick.jobId, tick);
      for (const listener of listeners) listener(tick);
    },
    end: (jobId) => void latest.delete(jobId),
    of: (jobId) => latest.get(jobId) ?? null,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
