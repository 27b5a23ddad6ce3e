/** Stored events of accounts, addresses, sessions and the installation. */
import * as z from 'zod';
import type { AccountEvent, EmailEvent, InstallationEvent, SessionEvent } from '../account/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const campaign = z.strictObject({
  source: z.string().exactOptional(),
  name: z.string().exactOptional(),
  contentHash: z.string().exactOptional(),
});

const by = z.enum(['unasked', 'link', 'session', 'password', 'reset']).exactOptional();

const HASHES = ['accessTokenHash', 'refreshTokenHash'] as const;

const tokens = { accessTokenHash: id, refreshTokenHash: id };
const proofs = z.array(z.strictObject({ kind: z.enum(['password', 'code', 'recovery_code']), at }));
const expiries = { accessExpiresAt: at, refreshExpiresAt: at };

export const ACCOUNT_TYPES = {
  AccountRegistered: stored(
    z.strictObject({ userId: id, email: z.string(), name: z.string(), passwordHash: z.string(), registeredAt: at, campaign: campaign.exactOptional() }),
    ['userId'],
    { secret: ['passwordHash', 'campaign.contentHash'] },
  ),
  AccountPasswordChanged: stored(z.strictObject({ userId: id, passwordHash: z.string(), changedAt: at }), ['userId'], { secret: ['passwordHash'] }),
  AccountAdminGranted: stored(z.strictObject({ userId: id, reason: z.enum(['first_account', 'configured', 'demo', 'admin', 'operator']) }), ['userId'], {
    // Grants could not be made manually then.
    upcasts: [(granted) => granted],
  }),
  AccountAdminPromised: stored(z.strictObject({ userId: id, email: z.string(), promisedAt: at }), ['userId']),
  AccountAdminRevoked: stored(z.strictObject({ userId: id, reason: z.enum(['admin', 'operator']), revokedAt: at }), ['userId']),
  AccountDisabled: stored(z.strictObject({ userId: id, disabledAt: at }), ['userId']),
  AccountEnabled: stored(z.strictObject({ userId: id, enabledAt: at }), ['userId']),
  AccountDeleted: stored(z.strictObject({ userId: id, deletedAt: at }), ['userId']),
  PasswordResetAsked: stored(z.strictObject({ userId: id, requestId: id, askedAt: at }), ['userId', 'requestId']),
  PasswordResetIssued: stored(z.strictObject({ userId: id, requestId: id, ...tokens, issuedAt: at, expiresAt: at }), ['userId', 'requestId'], {
    secret: HASHES,
  }),
  PasswordResetUsed: stored(
    z.strictObject({ userId: id, requestId: id, usedAt: at, endsSetUpBefore: z.enum(['this_proof', 'earlier_proof']).exactOptional() }),
    ['userId', 'requestId'],
  ),
  AccountSessionsEnded: stored(
    z.strictObject({ userId: id, reason: z.enum(['password_changed', 'revoked']), keptSessionId: z.string().nullable(), endedAt: at }),
    ['userId'],
  ),
  AccountEmailChangeAsked: stored(z.strictObject({ userId: id, email: z.string(), askedAt: at, by }), ['userId']),
  AccountEmailChanged: stored(z.strictObject({ userId: id, formerEmail: z.string(), email: z.string(), changedAt: at }), ['userId']),
  AccountEmailChangeRefused: stored(z.strictObject({ userId: id, email: z.string(), refusedAt: at }), ['userId']),
  AccountEmailConfirmationAsked: stored(z.strictObject({ userId: id, requestId: id, email: z.string(), askedAt: at }), ['userId', 'requestId']),
  AccountEmailConfirmationIssued: stored(z.strictObject({ userId: id, requestId: id, tokenHash: id, issuedAt: at, expiresAt: at }), ['userId', 'requestId'], {
    secret: ['tokenHash'],
  }),
  AccountEmailConfirmed: stored(z.strictObject({ userId: id, email: z.string(), confirmedAt: at, by }), ['userId']),
  AccountEmailLost: stored(z.strictObject({ userId: id, email: z.string(), lostAt: at }), ['userId']),
  AccountMailChoiceSet: stored(z.strictObject({ userId: id, mail: z.enum(['job_done', 'subscription_ends', 'sequence']), wanted: z.boolean(), setAt: at }), [
    'userId',
  ]),
} satisfies StoredTypes<AccountEvent>;

export const EMAIL_TYPES = {
  EmailClaimed: stored(z.strictObject({ userId: id, proven: z.boolean(), claimedAt: at, by }), ['userId'], {
    // Before email confirmation existed, holding an address was enough.
    upcasts: [(claimed) => ({ ...claimed, proven: true })],
  }),
  EmailContended: stored(z.strictObject({ userId: id, contendedAt: at }), ['userId']),
  EmailConfirmationRequested: stored(z.strictObject({ userId: id, requestId: id, requestedAt: at }), ['userId', 'requestId']),
  EmailReleased: stored(z.strictObject({ userId: id, releasedAt: at }), ['userId']),
  EmailRefused: stored(z.strictObject({ userId: id, refusedAt: at }), ['userId']),
} satisfies StoredTypes<EmailEvent>;

export const SESSION_TYPES = {
  SessionStarted: stored(
    z.strictObject({
      sessionId: id,
      userId: id,
      ...tokens,
      startedAt: at,
      ...expiries,
      client: z.strictObject({ agent: z.string(), network: z.string() }).exactOptional(),
      proofs: proofs.exactOptional(),
    }),
    ['sessionId', 'userId'],
    { secret: HASHES },
  ),
  SessionProofsSet: stored(z.strictObject({ sessionId: id, userId: id, proofs, setAt: at }), ['sessionId', 'userId']),
  SessionRefreshed: stored(z.strictObject({ sessionId: id, userId: id, ...tokens, refreshedAt: at, ...expiries }), ['sessionId', 'userId'], { secret: HASHES }),
  SessionEnded: stored(
    z.strictObject({
      sessionId: id,
      userId: id,
      reason: z.enum(['logout', 'refresh_reused', 'password_changed', 'account_deleted', 'revoked']),
      endedAt: at,
    }),
    ['sessionId', 'userId'],
  ),
} satisfies StoredTypes<SessionEvent>;

export const INSTALLATION_TYPES = {
  InstallationClaimed: stored(z.strictObject({ userId: id, claimedAt: at }), ['userId']),
} satisfies StoredTypes<InstallationEvent>;
