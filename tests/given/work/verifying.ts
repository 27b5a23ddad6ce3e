import type { VerifyStep } from '../../../src/work/sweeps/verifiedLog.ts';

/** Of an installation whose log is not looked at. */
export const nothingToVerify: VerifyStep = async ({ after }) => ({ events: 0, faults: 0, first: null, position: after, end: true, isChained: false });
