/** Whether long loops run in their full form (`npm run test:full`), or in the short one of each push. */
export const FULL = process.env.TEST_FULL !== undefined;

/** How often a property is tried: as often as said, or a third of that in the short form. */
export const runs = (full: number): number => (FULL ? full : Math.ceil(full / 3));
