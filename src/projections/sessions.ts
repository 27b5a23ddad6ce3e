/**
 * Two kinds of documents. Open sessions, under their ids, authenticate requests. Of each that ended, a document remains
 * that says only whose it was: all sessions a user ever had identify devices and are erased with the account. It has an
 * id of its own, so that whoever follows a session sees it deleted, and nothing else is kept of it.
 */
import type { SessionClient, SessionProof } from '../domain/account/events.ts';
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
  /** What opened it, before any second factor. Absent in documents of earlier versions. */
  readonly openedBy?: SessionProof;
  readonly isOpen: true;
};

type EndedSessionDocument = { readonly userId: string; readonly isOpen: false };

const ENDED = 'ended/';
const endedId = (sessionId: string): string => `${ENDED}${sessionId}`;

/** From the id of a document of either kind. */
export const sessionIdOf = (id: string): string => (id.startsWith(ENDED) ? id.slice(ENDED.length) : id);

export const sessions = projection<SessionDocument | EndedSessionDocument>()({
  name: 'sessions',
  version: 4,
  shape: 2,
  indexes: [['userId', 'isOpen', 'startedAt']],
  keys: ({ type, data: { sessionId } }) => (type === 'SessionEnded' ? [sessionId, endedId(sessionId)] : [sessionId]),
  on: {
    SessionStarted: (_document, { data, position }) => {
      const { proofs, ...session } = data;
      return {
        ...session,
        startPosition: position,
        lastUsedAt: session.startedAt,
        client: session.client ?? null,
        openedBy: proofs?.[0] ?? { kind: 'password', at: session.startedAt },
        isOpen: true,
      };
    },
    SessionRefreshed: (document, { data }) => {
      // Proofs are read from the session's own stream, where a new one counts at once.
      const { refreshedAt: lastUsedAt, proofs: _, ...tokens } = data;
      return document?.isOpen ? { ...document, ...tokens, lastUsedAt } : document;
    },
    // All that is left in an erased stream.
    SessionEnded: (_document, { data: { sessionId, userId } }, key) =>
      key === sessionId ? null : { userId, isOpen: false },
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
    where: { userId, isOpen: true },
    sort: [['startedAt', 'desc']],
    limit: MAX_SESSIONS,
  });
  return documents.map(({ data }) => data);
}

export function countSessions(readModels: ReadModels, userId: string): Promise<number> {
  return readModels.count('sessions', { userId, isOpen: true });
}
