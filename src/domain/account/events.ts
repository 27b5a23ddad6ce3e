/** Storage format, version with care. Streams: `account-{userId}`, `email-{hash}`, `session-{sessionId}`, `installation`. */
import type { ProofKind } from './proof.ts';

/** Where a sign-up came from. A shared link's token is kept only as a hash. */
export type Campaign = { readonly source?: string; readonly name?: string; readonly contentHash?: string };

/** Emails that a user can turn off. */
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
  /** `admin` or `operator` (at a terminal): the metadata says who. All other reasons come from the installation itself. */
  | {
      readonly type: 'AccountAdminGranted';
      readonly data: { readonly userId: string; readonly reason: 'first_account' | 'configured' | 'demo' | 'admin' | 'operator' };
    }
  /** It has proven the address that `ADMIN_EMAIL` names: its next log-in grants the right. */
  | { readonly type: 'AccountAdminPromised'; readonly data: { readonly userId: string; readonly email: string; readonly promisedAt: string } }
  | { readonly type: 'AccountAdminRevoked'; readonly data: { readonly userId: string; readonly reason: 'admin' | 'operator'; readonly revokedAt: string } }
  /** An admin blocks or restores access by password, refresh token and API key. Work in progress continues. */
  | { readonly type: 'AccountDisabled'; readonly data: { readonly userId: string; readonly disabledAt: string } }
  | { readonly type: 'AccountEnabled'; readonly data: { readonly userId: string; readonly enabledAt: string } }
  | { readonly type: 'AccountDeleted'; readonly data: { readonly userId: string; readonly deletedAt: string } }
  /** Someone entered the account's address to request a new password; an email with a reset link follows. */
  | { readonly type: 'PasswordResetAsked'; readonly data: { readonly userId: string; readonly requestId: string; readonly askedAt: string } }
  /** Written before the email is sent, and again if it is unknown whether it was sent. Tokens are stored only as SHA-256 hashes (hex). */
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
  /** `endsSetUpBefore`: API keys, webhooks and the second factor set up before the reset, or before the earlier proof of the address, end. */
  | {
      readonly type: 'PasswordResetUsed';
      readonly data: {
        readonly userId: string;
        readonly requestId: string;
        readonly usedAt: string;
        readonly endsSetUpBefore?: 'this_proof' | 'earlier_proof';
      };
    }
  /** Orders the end of every session that began before this event, except the kept one. */
  | {
      readonly type: 'AccountSessionsEnded';
      readonly data: {
        readonly userId: string;
        readonly reason: 'password_changed' | 'revoked';
        readonly keptSessionId: string | null;
        readonly endedAt: string;
      };
    }
  /**
   * The new address is proven (`by`: as in `AccountEmailConfirmed`). It is claimed after this event and before `AccountEmailChanged`; the former address is
   * released after that.
   */
  | {
      readonly type: 'AccountEmailChangeAsked';
      readonly data: { readonly userId: string; readonly email: string; readonly askedAt: string; readonly by?: ProofKind };
    }
  | {
      readonly type: 'AccountEmailChanged';
      readonly data: { readonly userId: string; readonly formerEmail: string; readonly email: string; readonly changedAt: string };
    }
  /** An email with a link follows: to the account's own address, or to the one it moves to once the link is used. */
  | {
      readonly type: 'AccountEmailConfirmationAsked';
      readonly data: { readonly userId: string; readonly requestId: string; readonly email: string; readonly askedAt: string };
    }
  /** Written before the email is sent, as with `PasswordResetIssued`. */
  | {
      readonly type: 'AccountEmailConfirmationIssued';
      readonly data: { readonly userId: string; readonly requestId: string; readonly tokenHash: string; readonly issuedAt: string; readonly expiresAt: string };
    }
  /**
   * The account has proven that it receives email at its own address. For an address it moves to, `AccountEmailChanged` says so. `by` is absent in events of
   * earlier versions, where opening the link was enough.
   */
  | {
      readonly type: 'AccountEmailConfirmed';
      readonly data: { readonly userId: string; readonly email: string; readonly confirmedAt: string; readonly by?: ProofKind };
    }
  /** Another account has proven this account's address, which this one never did. */
  | { readonly type: 'AccountEmailLost'; readonly data: { readonly userId: string; readonly email: string; readonly lostAt: string } }
  /** The address belongs to another account. */
  | { readonly type: 'AccountEmailChangeRefused'; readonly data: { readonly userId: string; readonly email: string; readonly refusedAt: string } }
  | {
      readonly type: 'AccountMailChoiceSet';
      readonly data: { readonly userId: string; readonly mail: MailChoice; readonly wanted: boolean; readonly setAt: string };
    };

/** One account's claim to an address (its hash names the stream): uniqueness without a table lock. */
export type EmailEvent =
  /**
   * `proven`: the account receives the address's email, or this installation sends none. A claim without proof yields to one with proof: it is written
   * again when the same account proves the address, or for another account that did. `by`: as in `AccountEmailConfirmed`.
   */
  | {
      readonly type: 'EmailClaimed';
      readonly data: { readonly userId: string; readonly proven: boolean; readonly claimedAt: string; readonly by?: ProofKind };
    }
  /** An account signed up with an address that another holds without proof. It gets the address as soon as it proves it. */
  | { readonly type: 'EmailContended'; readonly data: { readonly userId: string; readonly contendedAt: string } }
  /** An account requested another email with a link to this address, its own or the one it would move to: counted here over all accounts. */
  | { readonly type: 'EmailConfirmationRequested'; readonly data: { readonly userId: string; readonly requestId: string; readonly requestedAt: string } }
  | { readonly type: 'EmailReleased'; readonly data: { readonly userId: string; readonly releasedAt: string } }
  /** The account that requested the address is void: it came too late, or never finished its sign-up. */
  | { readonly type: 'EmailRefused'; readonly data: { readonly userId: string; readonly refusedAt: string } };

/** What whoever opened a session has shown, and when. */
export type SessionProof = { readonly kind: 'password' | 'code' | 'recovery_code'; readonly at: string };

/** What is kept about the client that logged in: never its full address or user agent. */
export type SessionClient = { readonly agent: string; readonly network: string };

/** Tokens are stored only as SHA-256 hashes (hex). One stream per session keeps an account's stream short. */
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
        /** Absent in sessions of earlier versions, which a password opened. */
        readonly proofs?: readonly SessionProof[];
      };
    }
  /** All proofs of the session from now on: one was added, or some no longer count. */
  | {
      readonly type: 'SessionProofsSet';
      readonly data: { readonly sessionId: string; readonly userId: string; readonly proofs: readonly SessionProof[]; readonly setAt: string };
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

/** The single stream `installation`: which account came first. */
export type InstallationEvent = { readonly type: 'InstallationClaimed'; readonly data: { readonly userId: string; readonly claimedAt: string } };
