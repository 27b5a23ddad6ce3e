/**
 * Long-running work on a log yields by time: events differ in size, and the embedded store never yields to the event
 * loop.
 */

/** Approximate time that others wait, ms. */
const SLICE_MS = 8;

export type Slices = {
  /** Call after each small piece of work. */
  readonly isDue: () => boolean;
  readonly pause: () => Promise<void>;
};

/** `elapsed`: ms, monotonic. */
export function createSlices(elapsed: () => number = () => performance.now()): Slices {
  let since = elapsed();
  return {
    isDue: () => elapsed() - since >= SLICE_MS,
    async pause() {
      await new Promise(setImmediate);
      since = elapsed();
    },
  };
}
