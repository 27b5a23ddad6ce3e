/** Storage format, version with care. Stream: `second-factor-{userId}`: what an account's log-in asks for beyond its password. */

export type SecondFactorEvent =
  /** `sealedSecret`: what the app is given, encrypted with the installation's key. Takes the place of an enrolment that was never confirmed. */
  | {
      readonly type: 'SecondFactorEnrolmentBegun';
      readonly data: { readonly userId: string; readonly enrolmentId: string; readonly sealedSecret: string; readonly begunAt: string };
    }
  /** A first code has shown that the app has the secret; `step` is that code's, of 30 seconds since 1970. Recovery codes are stored only as SHA-256 (hex). */
  | {
      readonly type: 'SecondFactorEnabled';
      readonly data: {
        readonly userId: string;
        readonly enrolmentId: string;
        readonly step: number;
        readonly recoveryCodeHashes: readonly string[];
        readonly enabledAt: string;
      };
    }
  /** A code was accepted: neither it nor an earlier one is again. */
  | { readonly type: 'SecondFactorPassed'; readonly data: { readonly userId: string; readonly step: number; readonly passedAt: string } }
  | { readonly type: 'RecoveryCodeUsed'; readonly data: { readonly userId: string; readonly codeHash: string; readonly usedAt: string } }
  /** Also of an enrolment that was not confirmed. `account_deleted`: the last event; nothing begins after it. */
  | {
      readonly type: 'SecondFactorRemoved';
      readonly data: { readonly userId: string; readonly reason: 'owner' | 'operator' | 'account_deleted'; readonly removedAt: string };
    };
