/**
 * The keyed requests of a user whose answers are kept, so that they go with the account. Answers are erased after 30 days, which no event tells:
 * a user has one document for each of 32 days, and a day takes the place of the one 32 days before.
 */
import type { RequestEvent } from '../domain/request/events.ts';
import { userOf } from '../domain/stored/metadata.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Projection } from './projection.ts';

export type KeptAnswersDocument = {
  readonly userId: string;
  /** UTC date, `2026-11-22`. */
  readonly day: string;
  /** Streams, in the order in which the requests were accepted. */
  readonly streams: readonly string[];
};

type Accepted = Extract<RequestEvent, { readonly type: 'RequestAccepted' }>;

/** One more than answers are kept, and one for clocks that differ. */
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

/** @throws when it was not a user who asked, so that the event is parked */
function ownerOf({ metadata }: Recorded<Accepted>): string {
  const userId = userOf(metadata.actor);
  if (userId === null) throw new Error('A keyed request is a user’s.');
  return userId;
}
