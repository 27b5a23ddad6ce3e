/** Wakes what waits for a change. */
import type { CrawlEnv } from './crawlEnv.ts';

export type Notifier = {
  readonly notify: () => void;
  /** Resolves with true at the next change, or with false after `ms`; null: no limit. */
  readonly next: (ms: number | null) => Promise<boolean>;
};

export function createNotifier({ sleep }: Pick<CrawlEnv, 'sleep'>): Notifier {
  const waiters: ((isChange: true) => void)[] = [];
  return {
    notify: () => {
      for (const wake of waiters.splice(0)) wake(true);
    },
    next: async (ms) => {
      const changed = new Promise<boolean>((resolve) => waiters.push(resolve));
      if (ms === null) return changed;
      const timer = new AbortController();
      const isChange = await Promise.race([changed, sleep(ms, timer.signal).then(() => false)]);
      timer.abort();
      return isChange;
    },
  };
}
