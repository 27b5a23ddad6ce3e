/** How events of ways to log in are stored. */
import { IDENTITY_CLAIM_EVENTS, LOG_IN_EVENTS } from '../logIn/events.ts';
import { stored } from './storedType.ts';

const OF_REQUEST = ['userId', 'requestId'] as const;
const OF_PASSKEY = ['userId', 'passkeyId'] as const;
const OF_IDENTITY = ['userId', 'identityId'] as const;

export const LOG_IN_TYPES = stored(LOG_IN_EVENTS, ['userId'], {
  LogInMailAsked: { ids: OF_REQUEST, secret: ['browserHash'] },
  LogInMailIssued: { ids: OF_REQUEST, secret: ['codeHash', 'tokenHash'] },
  LogInCodeRefused: { ids: OF_REQUEST },
  LogInMailUsed: { ids: OF_REQUEST },
  PasskeyAdded: { ids: OF_PASSKEY, secret: ['credentialId', 'publicKey'] },
  PasskeyUsed: { ids: OF_PASSKEY },
  PasskeyRenamed: { ids: OF_PASSKEY },
  PasskeyRemoved: { ids: OF_PASSKEY },
  IdentityLinked: { ids: OF_IDENTITY },
  IdentityUsed: { ids: OF_IDENTITY },
  IdentityUnlinked: { ids: OF_IDENTITY },
});

export const IDENTITY_CLAIM_TYPES = stored(IDENTITY_CLAIM_EVENTS, ['userId']);
