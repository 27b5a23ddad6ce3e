/**
 * A follower: what is quick, idempotent and follows from one event. One ordered subscriber each under the leader's lease; its position is kept
 * beside the claims. What fails three times is set aside as an item of work and holds nobody up. One file each in `followers/`.
 */
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import { type Recorded, type RecordedEvent, UnreadableEvent } from '../eventStore/eventStore.ts';

export type Follower = {
  readonly name: string;
  /** Event types that it takes. */
  readonly types: readonly string[];
  /**
   * Where it begins when nothing is known of it (an old installation, a deleted database): a day back when others are told, at the log's start when
   * all of it may be done again.
   */
  readonly begins: 'a_day_back' | 'at_the_start';
  /** Safe to repeat, also while whoever the event comes from is still at it. Throws when it should be tried again; `NotYet` does not count as a try. */
  readonly follow: (event: RecordedEvent, signal: AbortSignal) => Promise<void>;
};

type Typed<Type extends EventType> = Omit<Follower, 'types' | 'follow'> & {
  readonly types: readonly Type[];
  readonly follow: (event: Recorded<EventOf<Type>>, signal: AbortSignal) => Promise<void>;
};

/** A follower of events of these types. One that cannot be read is set aside like any that could not be followed. */
export function followerOf<Type extends EventType>(follower: Typed<Type>): Follower {
  return {
    ...follower,
    follow: async (event, signal) => {
      if (!isOf(event, ...follower.types)) throw new UnreadableEvent(event);
      await follower.follow(event, signal);
    },
  };
}

/** What it takes is not there yet, through no fault of the event: the read models are behind. The follower waits with it, for as long as that takes. */
export class NotYet extends Error {
  readonly code = 'NOT_YET';
  constructor(what: string) {
    super(what);
    this.name = 'NotYet';
  }
}
