/** Writes of this process to one stream go one after the other, in the order in which they were asked for: the server promises no order among calls. */
export type Turns = {
  readonly take: <T>(stream: string, work: () => Promise<T>) => Promise<T>;
  /** Resolves when all have had their turn, at the latest after `ms`. */
  readonly drained: (ms: number) => Promise<void>;
};

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(stream, work) {
      const turn = (last.get(stream) ?? Promise.resolve()).then(work);
      const ended = turn
        .catch(() => undefined)
        .then(() => {
          if (last.get(stream) === ended) last.delete(stream);
        });
      last.set(stream, ended);
      return turn;
    },
    async drained(ms) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.all(last.values()), patience]);
      clearTimeout(timer);
    },
  };
}
