/** Open sessions, by which requests are let in. */
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
  /** Where it began in the log: what ends all sessions ends those that began before it. */
  readonly startPosition: Position;
  /** As exact as the refreshes: about an hour. */
  readonly lastUsedAt: string;
  /** Null for sessions that began before such things were kept. */
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
      case 'SessionStarted':
        return { ...event.data, startPosition: event.position, lastUsedAt: event.data.startedAt, client: event.data.client ?? null };
      case 'SessionRefreshed': {
        const { refreshedAt: lastUsedAt, ...tokens } = event.data;
        return document && { ...document, ...tokens, lastUsedAt };
      }
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

/** More than anybody has open; older ones are ended by asking again. */
const MAX_SESSIONS = 200;

/** A user's open sessions, newest first. */
export async function listSessions(readModels: ReadModels, userId: string): Promise<readonly SessionDocument[]> {
  const { documents } = await readModels.find<SessionDocument>('sessions', { where: { userId }, sort: [['startedAt', 'desc']], limit: MAX_SESSIONS });
  return documents.map(({ data }) => data);
}
