/** Live progress from the workers of a process to its own sockets. Where workers are processes of their own, pages see what the log says. */
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
