/** A wait between two looks at the database that something else may cut short. */

export type Pause = {
  /** At most so long. True when it was ended. */
  wait(ms: number): Promise<boolean>;
  /** Ends the wait at hand, or else the next one. */
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
