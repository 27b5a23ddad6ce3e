/** Stored events of second factors. */
import * as z from 'zod';
import type { SecondFactorEvent } from '../secondFactor/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

export const SECOND_FACTOR_TYPES = {
  SecondFactorEnrolmentBegun: stored(z.strictObject({ userId: id, enrolmentId: id, sealedSecret: id, begunAt: at }), ['userId', 'enrolmentId'], {
    secret: ['sealedSecret'],
  }),
  SecondFactorEnabled: stored(
    z.strictObject({ userId: id, enrolmentId: id, step: count, recoveryCodeHashes: z.array(id), enabledAt: at, keptSessionId: z.string().exactOptional() }),
    ['userId', 'enrolmentId'],
    { secret: ['recoveryCodeHashes'] },
  ),
  SecondFactorPassed: stored(z.strictObject({ userId: id, step: count, passedAt: at }), ['userId']),
  RecoveryCodeUsed: stored(z.strictObject({ userId: id, codeHash: id, usedAt: at }), ['userId'], { secret: ['codeHash'] }),
  SecondFactorRemoved: stored(z.strictObject({ userId: id, reason: z.enum(['owner', 'operator', 'account_deleted']), removedAt: at }), ['userId']),
} satisfies StoredTypes<SecondFactorEvent>;
