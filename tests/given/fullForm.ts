/** Whether long loops run in their full form (`npm run test:full`), or in the short one of each push. */
export const FULL = process.env.TEST_FULL !== undefined;
