/**
 * A user's keyed requests whose responses are kept, so that they can be erased with the account. Responses are erased
 * after 30 days without an event: a user has at most one document for each minute of 32 days, and each minute reuses
 * the document from 32 days before. A minute holds as many requests as its rate limit allows, so no document grows
 * large, and little is written again with each request.
 */
import { userOf } from '../domain/stored/metadata.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { projection } from './projection.ts';

export type KeptAnswersDocument = {
  readonly userId: string;
  /** UTC, `2026-11-22T12:34`. */
  readonly minute: string;
  /** Streams, in the order the requests were accepted. */
  readonly streams: readonly string[];
};

/** The retention period, plus one day for rounding and one for clock skew. */
const MINUTES = 32 * 24 * 60;
const MINUTE_MS = 60_000;

export const keptAnswers = projection<KeptAnswersDocument>()({
  name: 'keptAnswers',
  version: 2,
  indexes: [['userId']],
  keys: (event) => [`${ownerOf(event)}/${Math.floor(Date.parse(event.metadata.at) / MINUTE_MS) % MINUTES}`],
  on: {
    RequestAccepted: (document, event) => {
      const minute = event.metadata.at.slice(0, 16);
      const streams = document?.minute === minute ? document.streams : [];
      return { userId: ownerOf(event), minute, streams: [...streams, event.stream] };
    },
  },
});

/** @throws if the actor was not a user, so that the event is parked */
function ownerOf({ metadata }: RecordedEvent): string {
  const userId = userOf(metadata.actor);
  if (userId === null) throw new Error('A keyed request is a user’s.');
  return userId;
}
