/** Whether long loops run in their full form (`npm run test:full`), or in the short one of each push. */
export const FULL = process.env.TEST_FULL !== undefined;

/** How often a property is tried: as often as said, or a third of that in the short form. */
export const runs = (full: number): number => (FULL ? full : Math.ceil(full / 3));

/** Which of many costly cases are tried: all, or the first of each `every` in the short form. */
export const some = <T>(cases: readonly T[], every: number): readonly T[] =>
  FULL ? cases : cases.filter((_, index) => index % every === 0);
