/** Storage format, version with care. Streams: `account-{userId}`, `email-{hash}`, `session-{sessionId}`, `installation`. */

/** Where a sign-up came from; of a shared link's token only the hash. */
export type Campaign = { readonly source?: string; readonly name?: string; readonly contentHash?: string };

/** Mails that a user may turn off. */
export type MailChoice = 'job_done' | 'subscription_ends' | 'sequence';

export type AccountEvent =
  | {
      readonly type: 'AccountRegistered';
      readonly data: {
        readonly userId: string;
        readonly email: string;
        readonly name: string;
        readonly passwordHash: string;
        readonly registeredAt: string;
        readonly campaign?: Campaign;
      };
    }
  | { readonly type: 'AccountPasswordChanged'; readonly data: { readonly userId: string; readonly passwordHash: string; readonly changedAt: string } }
  /** By an `admin`, or the `operator` at a terminal: metadata says who. The other reasons are the installation's own. */
  | {
      readonly type: 'AccountAdminGranted';
      readonly data: { readonly userId: string; readonly reason: 'first_account' | 'configured' | 'demo' | 'admin' | 'operator' };
    }
  | { readonly type: 'AccountAdminRevoked'; readonly data: { readonly userId: string; readonly reason: 'admin' | 'operator'; readonly revokedAt: string } }
  /** An admin takes away, and gives back, the way in: by password, by refresh token and by API key. What is under way goes on. */
  | { readonly type: 'AccountDisabled'; readonly data: { readonly userId: string; readonly disabledAt: string } }
  | { readonly type: 'AccountEnabled'; readonly data: { readonly userId: string; readonly enabledAt: string } }
  | { readonly type: 'AccountDeleted'; readonly data: { readonly userId: string; readonly deletedAt: string } }
  /** Somebody who named the account's address wants a new password: a mail with the way to one follows. */
  | { readonly type: 'PasswordResetAsked'; readonly data: { readonly userId: string; readonly requestId: string; readonly askedAt: string } }
  /** Written before the mail is sent; again when it is not known whether it was. Tokens are stored only as SHA-256 hashes (hex). */
  | {
      readonly type: 'PasswordResetIssued';
      readonly data: {
        readonly userId: string;
        readonly requestId: string;
        readonly accessTokenHash: string;
        readonly refreshTokenHash: string;
        readonly issuedAt: string;
        readonly expiresAt: string;
      };
    }
  | { readonly type: 'PasswordResetUsed'; readonly data: { readonly userId: string; readonly requestId: string; readonly usedAt: string } }
  /** Every session that began before this event, but the kept one, is to end. */
  | {
      readonly type: 'AccountSessionsEnded';
      readonly data: {
        readonly userId: string;
        readonly reason: 'password_changed' | 'revoked';
        readonly keptSessionId: string | null;
        readonly endedAt: string;
      };
    }
  /** The new address is proven. It is claimed after this and before `AccountEmailChanged`; the former one is released after that. */
  | { readonly type: 'AccountEmailChangeAsked'; readonly data: { readonly userId: string; readonly email: string; readonly askedAt: string } }
  | {
      readonly type: 'AccountEmailChanged';
      readonly data: { readonly userId: string; readonly formerEmail: string; readonly email: string; readonly changedAt: string };
    }
  /** A mail with a link follows: to the account's own address, or to the one that it is to move to once the link was used. */
  | {
      readonly type: 'AccountEmailConfirmationAsked';
      readonly data: { readonly userId: string; readonly requestId: string; readonly email: string; readonly askedAt: string };
    }
  /** Written before the mail is sent, as with `PasswordResetIssued`. */
  | {
      readonly type: 'AccountEmailConfirmationIssued';
      readonly data: { readonly userId: string; readonly requestId: string; readonly tokenHash: string; readonly issuedAt: string; readonly expiresAt: string };
    }
  /** The account has shown that it reads the mail of its own address. Of an address that it moves to, `AccountEmailChanged` says so. */
  | { readonly type: 'AccountEmailConfirmed'; readonly data: { readonly userId: string; readonly email: string; readonly confirmedAt: string } }
  /** Another account has shown that it reads the mail of this one's address, which this one never did. */
  | { readonly type: 'AccountEmailLost'; readonly data: { readonly userId: string; readonly email: string; readonly lostAt: string } }
  /** Somebody else has the address. */
  | { readonly type: 'AccountEmailChangeRefused'; readonly data: { readonly userId: string; readonly email: string; readonly refusedAt: string } }
  | {
      readonly type: 'AccountMailChoiceSet';
      readonly data: { readonly userId: string; readonly mail: MailChoice; readonly wanted: boolean; readonly setAt: string };
    };

/** The claim of one address (its hash names the stream) by one account: uniqueness without a table lock. */
export type EmailEvent =
  /**
   * `proven`: the account reads the address's mail, or this installation sends none. A claim without that gives way to one with it: written again for the
   * same account once it has proven the address, or for another one that did.
   */
  | { readonly type: 'EmailClaimed'; readonly data: { readonly userId: string; readonly proven: boolean; readonly claimedAt: string } }
  /** An account signed up with an address that another holds without proof. It has it as soon as it proves it. */
  | { readonly type: 'EmailContended'; readonly data: { readonly userId: string; readonly contendedAt: string } }
  | { readonly type: 'EmailReleased'; readonly data: { readonly userId: string; readonly releasedAt: string } }
  /** The account that asked for the address is void: it came too late, or never finished its sign-up. */
  | { readonly type: 'EmailRefused'; readonly data: { readonly userId: string; readonly refusedAt: string } };

/** What is kept of the machine that logged in: never its whole address, nor all that its browser says of itself. */
export type SessionClient = { readonly agent: string; readonly network: string };

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
        readonly client?: SessionClient;
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
