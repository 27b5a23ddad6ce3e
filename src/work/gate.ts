/** Who may work beside whom in one process: many together, or one alone. Whoever wants to be alone goes first, and nobody new comes in before. By hand: async-mutex cannot abort one who waits. */
export type Gate = {
  /** Somebody is alone, or waits to be. */
  isClosed(): boolean;
  /** Whoever enters now need not wait. */
  isFree(alone: boolean): boolean;
  /** Resolves when the way is free, with what gives it back. Rejects with the signal's reason when that aborts before. */
  enter(alone: boolean, signal: AbortSignal): Promise<() => void>;
};

type Waiting = { readonly alone: boolean; readonly admit: () => void };

export function createGate(): Gate {
  const waiting: Waiting[] = [];
  let inside = 0;
  let isAlone = false;

  function admit(): void {
    for (;;) {
      const next = waiting.find(({ alone }) => alone) ?? waiting[0];
      if (!next || isAlone || (next.alone && inside > 0)) return;
      waiting.splice(waiting.indexOf(next), 1);
      inside += 1;
      isAlone = next.alone;
      next.admit();
    }
  }

  function leave(): void {
    inside -= 1;
    isAlone = false;
    admit();
  }

  const isClosed = (): boolean => isAlone || waiting.some(({ alone }) => alone);

  return {
    isClosed,
    isFree: (alone) => !isClosed() && (!alone || inside === 0),
    enter: (alone, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
          admit();
        };
        const entry: Waiting = {
          alone,
          admit: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(leave);
          },
        };
        waiting.push(entry);
        signal.addEventListener('abort', giveUp, { once: true });
        admit();
      }),
  };
}
