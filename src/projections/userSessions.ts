/** All sessions a user ever had, including those that ended long ago: they identify devices and are erased with the account. */
import type { SessionEvent } from '../domain/account/events.ts';
import type { Projection } from './projection.ts';

export type UserSessionDocument = { readonly userId: string };

export const userSessions: Projection<UserSessionDocument, Exclude<SessionEvent, { readonly type: 'SessionRefreshed' | 'SessionProofsSet' }>> = {
  name: 'userSessions',
  version: 1,
  indexes: [['userId']],
  handles: ['SessionStarted', 'SessionEnded'],
  keys: (event) => [event.data.sessionId],
  evolve(document, event) {
    switch (event.type) {
      case 'SessionStarted':
      // The last event of an erased stream: handled so that a rebuilt list is the same.
      case 'SessionEnded':
        return document ?? { userId: event.data.userId };
      default:
        event satisfies never;
        return document;
    }
  },
};
