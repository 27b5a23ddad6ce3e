/** At most `limit` tasks at once; the others wait in order. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>;

export function createTurns(limit: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
