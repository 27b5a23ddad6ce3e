/**
 * Storage format, version with care. Streams: `log-in-{userId}`: an account's ways to log in besides its password;
 * `provider-identity-{hash}`: whose account an identity at a single sign-on provider opens.
 */
import * as z from 'zod';
import { at, count, type EventIn, id } from '../eventSchemas.ts';

export const logInStream = (userId: string): string => `log-in-${userId}`;
/** `hash` is the SHA-256 (hex) of issuer and subject, so that stream names contain neither. */
export const providerIdentityStream = (hash: string): string => `provider-identity-${hash}`;

const ofRequest = { userId: id, requestId: id };
const ofPasskey = { userId: id, passkeyId: id };
const ofIdentity = { userId: id, identityId: id };
/** From a browser that had logged in to the account before: counted apart, so that strangers use up nothing of it. */
const knownBrowser = z.literal(true).exactOptional();
/** `former_access`: it was set up before the address was proven. */
const removal = z.enum(['owner', 'former_access']);

export const LOG_IN_EVENTS = {
  /**
   * Someone entered the account's address to log in; an email with a code and a link follows. The code counts only
   * with the cookie of the browser that asked, of which the SHA-256 (hex) is kept.
   */
  LogInMailAsked: z.strictObject({
    ...ofRequest,
    browserHash: id,
    knownBrowser,
    /** Too many wrong codes were entered today: the email has only the link. */
    withoutCode: z.literal(true).exactOptional(),
    /** The account had not proven the address by then. */
    unproven: z.literal(true).exactOptional(),
    askedAt: at,
    expiresAt: at,
  }),
  /**
   * Written before the email is sent, and again if it is unknown whether it was sent. The code is hashed like a
   * password, since there are few; null: the email has none. The link's token is kept as SHA-256 (hex).
   */
  LogInMailIssued: z.strictObject({ ...ofRequest, codeHash: id.nullable(), tokenHash: id, issuedAt: at }),
  /** A wrong code was entered in that browser. */
  LogInCodeRefused: z.strictObject({ ...ofRequest, knownBrowser, refusedAt: at }),
  /** The code and the link of a request work once, together. */
  LogInMailUsed: z.strictObject({ ...ofRequest, by: z.enum(['code', 'link']), usedAt: at }),
  /** `credentialId` and `publicKey` are base64url; `counter` is 0 for passkeys that are synced between devices. */
  PasskeyAdded: z.strictObject({
    ...ofPasskey,
    credentialId: id,
    publicKey: id,
    counter: count,
    transports: z.array(id).exactOptional(),
    isSynced: z.boolean(),
    name: z.string(),
    addedAt: at,
  }),
  PasskeyUsed: z.strictObject({ ...ofPasskey, counter: count, usedAt: at }),
  PasskeyRenamed: z.strictObject({ ...ofPasskey, name: z.string(), renamedAt: at }),
  PasskeyRemoved: z.strictObject({ ...ofPasskey, reason: removal, removedAt: at }),
  /** `provider`: the id of its settings; `subject` names the person there; `email` as the provider says. */
  IdentityLinked: z.strictObject({
    ...ofIdentity,
    provider: id,
    issuer: id,
    subject: id,
    email: z.string().nullable(),
    linkedAt: at,
  }),
  IdentityUsed: z.strictObject({ ...ofIdentity, email: z.string().nullable(), usedAt: at }),
  IdentityUnlinked: z.strictObject({ ...ofIdentity, reason: removal, unlinkedAt: at }),
  /** With the account: the final event. */
  LogInClosed: z.strictObject({ userId: id, closedAt: at }),
};
export type LogInEvent = EventIn<typeof LOG_IN_EVENTS>;

/** One account's claim to an identity (its hash names the stream). */
export const IDENTITY_CLAIM_EVENTS = {
  IdentityClaimed: z.strictObject({ userId: id, claimedAt: at }),
  IdentityReleased: z.strictObject({ userId: id, releasedAt: at }),
};
export type IdentityClaimEvent = EventIn<typeof IDENTITY_CLAIM_EVENTS>;
