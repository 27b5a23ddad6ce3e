/** How events of accounts, addresses, sessions and the installation are stored. */
import { ACCOUNT_EVENTS, EMAIL_EVENTS, INSTALLATION_EVENTS, SESSION_EVENTS } from '../account/events.ts';
import { stored, unchanged } from './storedType.ts';

const TOKEN_HASHES = ['accessTokenHash', 'refreshTokenHash'];
const OF_REQUEST = ['userId', 'requestId'] as const;

export const ACCOUNT_TYPES = stored(ACCOUNT_EVENTS, ['userId'], {
  AccountRegistered: { secret: ['passwordHash', 'campaign.contentHash'] },
  AccountPasswordChanged: { secret: ['passwordHash'] },
  // Grants could not be made manually then; later, not by a provider's group.
  AccountAdminGranted: { upcasts: [unchanged, unchanged] },
  AccountAdminRevoked: { upcasts: [unchanged] },
  PasswordResetAsked: { ids: OF_REQUEST },
  PasswordResetIssued: { ids: OF_REQUEST, secret: TOKEN_HASHES },
  PasswordResetUsed: { ids: OF_REQUEST },
  AccountEmailConfirmationAsked: { ids: OF_REQUEST },
  AccountEmailConfirmationIssued: { ids: OF_REQUEST, secret: ['tokenHash'] },
});

export const EMAIL_TYPES = stored(EMAIL_EVENTS, ['userId'], {
  // Before email confirmation existed, holding an address was enough.
  EmailClaimed: { upcasts: [(claimed) => ({ ...claimed, proven: true })] },
  EmailConfirmationRequested: { ids: OF_REQUEST },
});

export const SESSION_TYPES = stored(SESSION_EVENTS, ['sessionId', 'userId'], {
  SessionStarted: { secret: TOKEN_HASHES },
  SessionRefreshed: { secret: TOKEN_HASHES },
});

export const INSTALLATION_TYPES = stored(INSTALLATION_EVENTS, ['userId']);
