/** Wakes what waits for a change. */
export type Notifier = {
  readonly notify: () => void;
  /** Resolves at the next change. */
  readonly next: () => Promise<void>;
};

export function createNotifier(): Notifier {
  const waiters: (() => void)[] = [];
  return {
    notify: () => {
      for (const wake of waiters.splice(0)) wake();
    },
    next: () => new Promise((resolve) => waiters.push(resolve)),
  };
}
