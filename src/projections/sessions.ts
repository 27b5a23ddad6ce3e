/** Open sessions, used to authenticate requests. */
import type { SessionClient } from '../domain/account/events.ts';
import type { Position, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

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

export const sessions = projection<SessionDocument>()({
  name: 'sessions',
  version: 2,
  indexes: [['userId', 'startedAt'], ['refreshExpiresAt']],
  keys: ({ data }) => [data.sessionId],
  on: {
    SessionStarted: (_document, { data, position }) => {
      const { proofs: _, ...session } = data;
      return { ...session, startPosition: position, lastUsedAt: session.startedAt, client: session.client ?? null };
    },
    SessionRefreshed: (document, { data }) => {
      // Proofs are read from the session's own stream, where a new one counts at once.
      const { refreshedAt: lastUsedAt, proofs: _, ...tokens } = data;
      return document && { ...document, ...tokens, lastUsedAt };
    },
    SessionEnded: () => null,
  },
});

export function getSession(readModels: ReadModels, sessionId: string): Promise<StoredDocument<SessionDocument> | null> {
  return readModels.get('sessions', sessionId);
}

/** Exceeds the limit per user; any older ones are ended by repeating the query. */
const MAX_SESSIONS = 200;

/** A user's open sessions, newest first. */
export async function listSessions(readModels: ReadModels, userId: string): Promise<readonly SessionDocument[]> {
  const { documents } = await readModels.find<SessionDocument>('sessions', {
    where: { userId },
    sort: [['startedAt', 'desc']],
    limit: MAX_SESSIONS,
  });
  return documents.map(({ data }) => data);
}
