/** Who may work beside whom in one process: many together, or one alone. Whoever wants to be alone goes first, and nobody new comes in before. */
export type ReadWriteLock = {
  /** Somebody is alone, or waits to be. */
  isClosed(): boolean;
  /** Whoever enters now need not wait. */
  isFree(exclusive: boolean): boolean;
  /** Resolves when the way is free, with what gives it back. Rejects with the signal's reason when that aborts before. */
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
