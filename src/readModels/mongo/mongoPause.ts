/** An interruptible wait between two polls of the database. */

export type Pause = {
  /** Waits at most `ms`. True if interrupted. */
  wait(ms: number): Promise<boolean>;
  /** Ends the current wait, or else the next one. */
  end(): void;
};

export function createPause(): Pause {
  let finish: (() => void) | null = null;
  let ended = false;
  return {
    wait: async (ms) => {
      if (!ended) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          finish = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      finish = null;
      const wasEnded = ended;
      ended = false;
      return wasEnded;
    },
    end: () => {
      ended = true;
      finish?.();
    },
  };
}
