/**
 * A readers-writer lock for one process: many share it, or one has it exclusively. Exclusive waiters go first.
 * Hand-written because async-mutex cannot abort a waiter.
 */
export type ReadWriteLock = {
  /** Held exclusively, or someone waits for that. */
  isClosed(): boolean;
  /** It can be acquired without waiting. */
  isFree(exclusive: boolean): boolean;
  /**
   * Resolves when acquired, with a function that releases it. Rejects with the signal's reason if that aborts first.
   */
  acquire(exclusive: boolean, signal: AbortSignal): Promise<() => void>;
};

type Waiting = { readonly exclusive: boolean; readonly admit: () => void };

export function createReadWriteLock(): ReadWriteLock {
  const waiting: Waiting[] = [];
  let holders = 0;
  let isExclusive = false;

  function admit(): void {
    for (;;) {
      const next = waiting.find(({ exclusive }) => exclusive) ?? waiting[0];
      if (!next || isExclusive || (next.exclusive && holders > 0)) return;
      waiting.splice(waiting.indexOf(next), 1);
      holders += 1;
      isExclusive = next.exclusive;
      next.admit();
    }
  }

  function release(): void {
    holders -= 1;
    isExclusive = false;
    admit();
  }

  const isClosed = (): boolean => isExclusive || waiting.some(({ exclusive }) => exclusive);

  return {
    isClosed,
    isFree: (exclusive) => !isClosed() && (!exclusive || holders === 0),
    acquire: (exclusive, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
          admit();
        };
        const entry: Waiting = {
          exclusive,
          admit: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(release);
          },
        };
        waiting.push(entry);
        signal.addEventListener('abort', giveUp, { once: true });
        admit();
      }),
  };
}
