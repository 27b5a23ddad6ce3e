/**
 * All sessions a user ever had, including those that ended long ago: they identify devices and are erased with the
 * account.
 */
import { projection } from './projection.ts';

export type UserSessionDocument = { readonly userId: string };

export const userSessions = projection<UserSessionDocument>()({
  name: 'userSessions',
  version: 1,
  indexes: [['userId']],
  keys: ({ data }) => [data.sessionId],
  on: {
    SessionStarted: (document, { data }) => document ?? { userId: data.userId },
    // The last event of an erased stream: handled so that a rebuilt list is the same.
    SessionEnded: (document, { data }) => document ?? { userId: data.userId },
  },
});
