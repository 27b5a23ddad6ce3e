/** Open sessions, used to authenticate requests. */
import type { SessionClient, SessionEvent } from '../domain/account/events.ts';
import type { Position, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type SessionDocument = {
  readonly sessionId: string;
  readonly userId: string;
  /** SHA-256 (hex) of the whole token. */
  readonly accessTokenHash: string;
  readonly refreshTokenHash: string;
  readonly startedAt: string;
  readonly accessExpiresAt: string;
  readonly refreshExpiresAt: string;
  /** Log position of its start: an order to end all sessions applies to those that started before it. */
  readonly startPosition: Position;
  /** Accurate to about an hour, as it follows the refreshes. */
  readonly lastUsedAt: string;
  /** Null for sessions older than this field. */
  readonly client: SessionClient | null;
};

export const sessions: Projection<SessionDocument, SessionEvent> = {
  name: 'sessions',
  version: 2,
  indexes: [['userId', 'startedAt'], ['refreshExpiresAt']],
  handles: ['SessionStarted', 'SessionRefreshed', 'SessionEnded'],
  keys: (event) => [event.data.sessionId],
  evolve(document, event) {
    switch (event.type) {
      case 'SessionStarted': {
        const { proofs: _, ...session } = event.data;
        return { ...session, startPosition: event.position, lastUsedAt: session.startedAt, client: session.client ?? null };
      }
      case 'SessionRefreshed': {
        const { refreshedAt: lastUsedAt, ...tokens } = event.data;
        return document && { ...document, ...tokens, lastUsedAt };
      }
      // Not handled: proofs are read from the session's own stream, where a new one counts at once.
      case 'SessionProofsSet':
        return document;
      case 'SessionEnded':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function getSession(readModels: ReadModels, sessionId: string): Promise<StoredDocument<SessionDocument> | null> {
  return readModels.get('sessions', sessionId);
}

/** Exceeds the limit per user; any older ones are ended by repeating the query. */
const MAX_SESSIONS = 200;

/** A user's open sessions, newest first. */
export async function listSessions(readModels: ReadModels, userId: string): Promise<readonly SessionDocument[]> {
  const { documents } = await readModels.find<SessionDocument>('sessions', { where: { userId }, sort: [['startedAt', 'desc']], limit: MAX_SESSIONS });
  return documents.map(({ data }) => data);
}
