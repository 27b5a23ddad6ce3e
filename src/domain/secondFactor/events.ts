/** Storage format, version with care. Stream: `second-factor-{userId}`: the second step of an account's log-in. */
import * as z from 'zod';
import { at, count, type EventIn, id } from '../eventSchemas.ts';

export const secondFactorStream = (userId: string): string => `second-factor-${userId}`;

export const SECOND_FACTOR_EVENTS = {
  /**
   * `sealedSecret`: the authenticator app's secret, encrypted with the installation's key. Replaces an unconfirmed
   * enrollment.
   */
  SecondFactorEnrolmentBegun: z.strictObject({ userId: id, enrolmentId: id, sealedSecret: id, begunAt: at }),
  /**
   * A first code proved that the app has the secret; `step` is that code's time step (30 seconds each, since 1970).
   * Recovery codes are stored only as SHA-256 (hex).
   */
  SecondFactorEnabled: z.strictObject({
    userId: id,
    enrolmentId: id,
    step: count,
    recoveryCodeHashes: z.array(id),
    enabledAt: at,
    /** The session that turned it on; the account's others end. Absent in events of earlier versions. */
    keptSessionId: z.string().exactOptional(),
  }),
  /** A code was accepted: neither it nor an earlier one is accepted again. */
  SecondFactorPassed: z.strictObject({ userId: id, step: count, passedAt: at }),
  RecoveryCodeUsed: z.strictObject({ userId: id, codeHash: id, usedAt: at }),
  /** Applies to unconfirmed enrollments, too. `account_deleted`: the final event. */
  SecondFactorRemoved: z.strictObject({
    userId: id,
    reason: z.enum(['owner', 'operator', 'account_deleted']),
    removedAt: at,
  }),
};
export type SecondFactorEvent = EventIn<typeof SECOND_FACTOR_EVENTS>;
