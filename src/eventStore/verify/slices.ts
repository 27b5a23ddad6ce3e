/** Long work on a log lets others run by the clock: events differ in size, and the embedded store answers without ever leaving the current turn. */

/** Others wait about so long, ms. */
const SLICE_MS = 8;

export type Slices = {
  /** To be asked after each small piece of work. */
  readonly isDue: () => boolean;
  readonly pause: () => Promise<void>;
};

/** `elapsed`: ms, rising. */
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
