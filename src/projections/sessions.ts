/** Open sessions, by which requests are let in. */
import type { SessionEvent } from '../domain/account/events.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
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
};

export const sessions: Projection<SessionDocument, SessionEvent> = {
  name: 'sessions',
  version: 1,
  indexes: [['userId', 'startedAt'], ['refreshExpiresAt']],
  handles: ['SessionStarted', 'SessionRefreshed', 'SessionEnded'],
  keys: (event) => [event.data.sessionId],
  evolve(document, event) {
    switch (event.type) {
      case 'SessionStarted':
        return { ...event.data };
      case 'SessionRefreshed': {
        const { refreshedAt: _, ...tokens } = event.data;
        return document && { ...document, ...tokens };
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
