/**
 * A user's keyed requests whose responses are kept, so that they can be erased with the account. Responses are erased after 30 days without an event: a
 * user has one document for each of 32 days, and each day reuses the document from 32 days before.
 */
import type { RequestEvent } from '../domain/request/events.ts';
import { userOf } from '../domain/stored/metadata.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Projection } from './projection.ts';

export type KeptAnswersDocument = {
  readonly userId: string;
  /** UTC date, `2026-11-22`. */
  readonly day: string;
  /** Streams, in the order the requests were accepted. */
  readonly streams: readonly string[];
};

type Accepted = Extract<RequestEvent, { readonly type: 'RequestAccepted' }>;

/** The retention period, plus one day for rounding and one for clock skew. */
const DAYS = 32;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const keptAnswers: Projection<KeptAnswersDocument, Accepted> = {
  name: 'keptAnswers',
  version: 1,
  indexes: [['userId']],
  handles: ['RequestAccepted'],
  keys: (event) => [`${ownerOf(event)}/${Math.floor(Date.parse(event.metadata.at) / DAY_MS) % DAYS}`],
  evolve(document, event) {
    const day = event.metadata.at.slice(0, 10);
    const streams = document?.day === day ? document.streams : [];
    return { userId: ownerOf(event), day, streams: [...streams, event.stream] };
  },
};

/** @throws if the actor was not a user, so that the event is parked */
function ownerOf({ metadata }: Recorded<Accepted>): string {
  const userId = userOf(metadata.actor);
  if (userId === null) throw new Error('A keyed request is a user’s.');
  return userId;
}
