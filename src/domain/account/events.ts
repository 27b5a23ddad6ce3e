/** Storage format, version with care. Streams: `account-{userId}`, `email-{hash}`, `session-{sessionId}`, `installation`. */

export type AccountEvent =
  | {
      readonly type: 'AccountRegistered';
      readonly data: { readonly userId: string; readonly email: string; readonly name: string; readonly passwordHash: string; readonly registeredAt: string };
    }
  | { readonly type: 'AccountPasswordChanged'; readonly data: { readonly userId: string; readonly passwordHash: string; readonly changedAt: string } }
  | { readonly type: 'AccountAdminGranted'; readonly data: { readonly userId: string; readonly reason: 'first_account' | 'configured' | 'demo' } }
  | { readonly type: 'AccountDeleted'; readonly data: { readonly userId: string; readonly deletedAt: string } };

/** The claim of one address (its hash names the stream) by one account: uniqueness without a table lock. */
export type EmailEvent =
  | { readonly type: 'EmailClaimed'; readonly data: { readonly userId: string; readonly claimedAt: string } }
  | { readonly type: 'EmailReleased'; readonly data: { readonly userId: string; readonly releasedAt: string } }
  /** The account that asked for the address is void: it came too late, or never finished its sign-up. */
  | { readonly type: 'EmailRefused'; readonly data: { readonly userId: string; readonly refusedAt: string } };

/** Tokens are stored only as SHA-256 hashes (hex). One stream a session, so that an account's stream stays short. */
export type SessionEvent =
  | {
      readonly type: 'SessionStarted';
      readonly data: {
        readonly sessionId: string;
        readonly userId: string;
        readonly accessTokenHash: string;
        readonly refreshTokenHash: string;
        readonly startedAt: string;
        readonly accessExpiresAt: string;
        readonly refreshExpiresAt: string;
      };
    }
  | {
      readonly type: 'SessionRefreshed';
      readonly data: {
        readonly sessionId: string;
        readonly userId: string;
        readonly accessTokenHash: string;
        readonly refreshTokenHash: string;
        readonly refreshedAt: string;
        readonly accessExpiresAt: string;
        readonly refreshExpiresAt: string;
      };
    }
  | {
      readonly type: 'SessionEnded';
      readonly data: {
        readonly sessionId: string;
        readonly userId: string;
        readonly reason: 'logout' | 'refresh_reused' | 'password_changed' | 'account_deleted' | 'revoked';
        readonly endedAt: string;
      };
    };

/** The one stream `installation`: who came first. */
export type InstallationEvent = { readonly type: 'InstallationClaimed'; readonly data: { readonly userId: string; readonly claimedAt: string } };
