/** How events of second factors are stored. */
import { SECOND_FACTOR_EVENTS } from '../secondFactor/events.ts';
import { stored } from './storedType.ts';

export const SECOND_FACTOR_TYPES = stored(SECOND_FACTOR_EVENTS, ['userId'], {
  SecondFactorEnrolmentBegun: { ids: ['userId', 'enrolmentId'], secret: ['sealedSecret'] },
  SecondFactorEnabled: { ids: ['userId', 'enrolmentId'], secret: ['recoveryCodeHashes'] },
  RecoveryCodeUsed: { secret: ['codeHash'] },
});
