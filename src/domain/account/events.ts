/**
 * Storage format, version with care. Streams: `account-{userId}`, `email-{hash}`, `session-{sessionId}`,
 * `installation`.
 */
import * as z from 'zod';
import { at, type EventIn, type Infer, id } from '../eventSchemas.ts';
import { PROOF_KINDS } from './proof.ts';

export const sessionStream = (sessionId: string): string => `session-${sessionId}`;
export const accountStream = (userId: string): string => `account-${userId}`;
/** `hash` is the SHA-256 (hex) of the normalized address, so that stream names contain no address. */
export const emailStream = (hash: string): string => `email-${hash}`;

export const INSTALLATION_STREAM = 'installation';

/** Where a sign-up came from. A shared link's token is kept only as a hash. */
const campaign = z.strictObject({
  source: z.string().exactOptional(),
  name: z.string().exactOptional(),
  contentHash: z.string().exactOptional(),
});
export type Campaign = Infer<typeof campaign>;

/** Emails that a user can turn off. */
const mailChoice = z.enum(['job_done', 'subscription_ends', 'sequence']);
export type MailChoice = Infer<typeof mailChoice>;

const by = z.enum(PROOF_KINDS).exactOptional();
const ofRequest = { userId: id, requestId: id };
/** Tokens are stored only as SHA-256 hashes (hex). */
const tokenHashes = { accessTokenHash: id, refreshTokenHash: id };

export const ACCOUNT_EVENTS = {
  AccountRegistered: z.strictObject({
    userId: id,
    email: z.string(),
    name: z.string(),
    /** Absent where none was set: the account is logged in to in other ways. */
    passwordHash: z.string().exactOptional(),
    registeredAt: at,
    campaign: campaign.exactOptional(),
  }),
  AccountPasswordChanged: z.strictObject({ userId: id, passwordHash: z.string(), changedAt: at }),
  /** It was set before the address was proven by email, so it may be a stranger's. */
  AccountPasswordRemoved: z.strictObject({ userId: id, removedAt: at }),
  /**
   * `admin` or `operator` (at a terminal): the metadata says who. `provider`: a group there, with the id of its settings
   * in `provider`. All other reasons come from the installation itself.
   */
  AccountAdminGranted: z.strictObject({
    userId: id,
    reason: z.enum(['first_account', 'configured', 'demo', 'admin', 'operator', 'provider']),
    provider: id.exactOptional(),
  }),
  /** `provider`: the account is no longer in the group there that gave it the right. */
  AccountAdminRevoked: z.strictObject({
    userId: id,
    reason: z.enum(['admin', 'operator', 'provider']),
    provider: id.exactOptional(),
    revokedAt: at,
  }),
  /** An admin blocks or restores access by password, refresh token and API key. Work in progress continues. */
  AccountDisabled: z.strictObject({ userId: id, disabledAt: at }),
  AccountEnabled: z.strictObject({ userId: id, enabledAt: at }),
  AccountDeleted: z.strictObject({ userId: id, deletedAt: at }),
  /**
   * Someone entered the account's address to request a new password; an email with a reset link follows. `unproven`: so
   * was the address by then.
   */
  PasswordResetAsked: z.strictObject({ ...ofRequest, unproven: z.literal(true).exactOptional(), askedAt: at }),
  /** Written before the email is sent, and again if it is unknown whether it was sent. */
  PasswordResetIssued: z.strictObject({ ...ofRequest, ...tokenHashes, issuedAt: at, expiresAt: at }),
  PasswordResetUsed: z.strictObject({
    ...ofRequest,
    usedAt: at,
    /**
     * API keys, webhooks and the second factor set up before the reset, or before the earlier proof of the address,
     * end.
     */
    endsSetUpBefore: z.enum(['this_proof', 'earlier_proof']).exactOptional(),
  }),
  /**
   * A code or a link from an email was used to log in, and nobody had proven the address in such a way before. What was
   * set up before ends, as with `PasswordResetUsed`.
   */
  AccountProvenByMail: z.strictObject({
    userId: id,
    endsSetUpBefore: z.enum(['this_proof', 'earlier_proof']),
    provenAt: at,
  }),
  /** Orders the end of every session that began before this event, except the kept one. */
  AccountSessionsEnded: z.strictObject({
    userId: id,
    reason: z.enum(['password_changed', 'revoked']),
    keptSessionId: z.string().nullable(),
    endedAt: at,
  }),
  /**
   * The new address is proven (`by`: as in `AccountEmailConfirmed`). It is claimed after this event and before
   * `AccountEmailChanged`; the former address is released after that.
   */
  AccountEmailChangeAsked: z.strictObject({ userId: id, email: z.string(), askedAt: at, by }),
  AccountEmailChanged: z.strictObject({ userId: id, formerEmail: z.string(), email: z.string(), changedAt: at }),
  /** The address belongs to another account. */
  AccountEmailChangeRefused: z.strictObject({ userId: id, email: z.string(), refusedAt: at }),
  /** An email with a link follows: to the account's own address, or to the one it moves to once the link is used. */
  AccountEmailConfirmationAsked: z.strictObject({ ...ofRequest, email: z.string(), askedAt: at }),
  /** Written before the email is sent, as with `PasswordResetIssued`. */
  AccountEmailConfirmationIssued: z.strictObject({ ...ofRequest, tokenHash: id, issuedAt: at, expiresAt: at }),
  /**
   * The account has proven that it receives email at its own address. For an address it moves to, `AccountEmailChanged`
   * says so. `by` is absent in events of earlier versions, where opening the link was enough.
   */
  AccountEmailConfirmed: z.strictObject({ userId: id, email: z.string(), confirmedAt: at, by }),
  /** Another account has proven this account's address, which this one never did. */
  AccountEmailLost: z.strictObject({ userId: id, email: z.string(), lostAt: at }),
  AccountMailChoiceSet: z.strictObject({ userId: id, mail: mailChoice, wanted: z.boolean(), setAt: at }),
};
export type AccountEvent = EventIn<typeof ACCOUNT_EVENTS>;

/** One account's claim to an address (its hash names the stream): uniqueness without a table lock. */
export const EMAIL_EVENTS = {
  /**
   * `proven`: the account receives the address's email, or this installation sends none. A claim without proof yields
   * to one with proof: it is written again when the same account proves the address, or for another account that did.
   * `by`: as in `AccountEmailConfirmed`.
   */
  EmailClaimed: z.strictObject({ userId: id, proven: z.boolean(), claimedAt: at, by }),
  /**
   * An account signed up with an address that another holds without proof. It gets the address as soon as it proves it.
   */
  EmailContended: z.strictObject({ userId: id, contendedAt: at }),
  /**
   * An account requested another email with a link to this address, its own or the one it would move to: counted here
   * over all accounts.
   */
  EmailConfirmationRequested: z.strictObject({ ...ofRequest, requestedAt: at }),
  EmailReleased: z.strictObject({ userId: id, releasedAt: at }),
  /** The account that requested the address is void: it came too late, or never finished its sign-up. */
  EmailRefused: z.strictObject({ userId: id, refusedAt: at }),
};
export type EmailEvent = EventIn<typeof EMAIL_EVENTS>;

/**
 * What whoever opened a session has shown, and when. `code`, `recovery_code`: of the second factor. `mail`: a code or a
 * link from an email. `provider`: an identity there, with the id of its settings.
 */
const sessionProof = z.strictObject({
  kind: z.enum(['password', 'code', 'recovery_code', 'mail', 'passkey', 'provider']),
  at,
  provider: id.exactOptional(),
});
export type SessionProof = Infer<typeof sessionProof>;

/** What is kept about the client that logged in: never its full address or user agent. */
const sessionClient = z.strictObject({ agent: z.string(), network: z.string() });
export type SessionClient = Infer<typeof sessionClient>;

const ofSession = { sessionId: id, userId: id };
const expiries = { accessExpiresAt: at, refreshExpiresAt: at };

/** One stream per session keeps an account's stream short. */
export const SESSION_EVENTS = {
  SessionStarted: z.strictObject({
    ...ofSession,
    ...tokenHashes,
    startedAt: at,
    ...expiries,
    client: sessionClient.exactOptional(),
    /** Absent in sessions of earlier versions, which a password opened. */
    proofs: z.array(sessionProof).exactOptional(),
  }),
  SessionRefreshed: z.strictObject({
    ...ofSession,
    ...tokenHashes,
    refreshedAt: at,
    ...expiries,
    /**
     * All proofs of the session from now on, where one was added, or some no longer count; the tokens are then the same
     * as before.
     */
    proofs: z.array(sessionProof).exactOptional(),
  }),
  SessionEnded: z.strictObject({
    ...ofSession,
    reason: z.enum(['logout', 'refresh_reused', 'password_changed', 'account_deleted', 'revoked']),
    endedAt: at,
  }),
};
export type SessionEvent = EventIn<typeof SESSION_EVENTS>;

/** The single stream `installation`: which account came first. */
export const INSTALLATION_EVENTS = {
  InstallationClaimed: z.strictObject({ userId: id, claimedAt: at }),
};
export type InstallationEvent = EventIn<typeof INSTALLATION_EVENTS>;
