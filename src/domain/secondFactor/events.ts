/** Storage format, version with care. Stream: `second-factor-{userId}`: the second step of an account's log-in. */

export type SecondFactorEvent =
  /** `sealedSecret`: the authenticator app's secret, encrypted with the installation's key. Replaces an unconfirmed enrollment. */
  | {
      readonly type: 'SecondFactorEnrolmentBegun';
      readonly data: { readonly userId: string; readonly enrolmentId: string; readonly sealedSecret: string; readonly begunAt: string };
    }
  /**
   * A first code proved that the app has the secret; `step` is that code's time step (30 seconds each, since 1970). Recovery codes are stored only as
   * SHA-256 (hex).
   */
  | {
      readonly type: 'SecondFactorEnabled';
      readonly data: {
        readonly userId: string;
        readonly enrolmentId: string;
        readonly step: number;
        readonly recoveryCodeHashes: readonly string[];
        readonly enabledAt: string;
        /** The session that turned it on; the account's others end. Absent in events of earlier versions. */
        readonly keptSessionId?: string;
      };
    }
  /** A code was accepted: neither it nor an earlier one is accepted again. */
  | { readonly type: 'SecondFactorPassed'; readonly data: { readonly userId: string; readonly step: number; readonly passedAt: string } }
  | { readonly type: 'RecoveryCodeUsed'; readonly data: { readonly userId: string; readonly codeHash: string; readonly usedAt: string } }
  /** Applies to unconfirmed enrollments, too. `account_deleted`: the final event. */
  | {
      readonly type: 'SecondFactorRemoved';
      readonly data: { readonly userId: string; readonly reason: 'owner' | 'operator' | 'account_deleted'; readonly removedAt: string };
    };
