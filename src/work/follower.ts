/**
 * A follower: quick, idempotent work triggered by a single event. Each is one ordered subscriber under the leader's
 * lease; its position is stored next to the claims. An event that fails three times is set aside as a work item and
 * delays nothing else. One file each in `followers/`.
 */
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import { type Recorded, type RecordedEvent, UnreadableEvent } from '../eventStore/eventStore.ts';

export type Follower = {
  readonly name: string;
  /** Event types it handles. */
  readonly types: readonly string[];
  /**
   * Where it begins without a known position (an old installation, a deleted database): a day back if others are
   * notified, at the log's start if everything may be repeated.
   */
  readonly begins: 'a_day_back' | 'at_the_start';
  /**
   * Safe to repeat, also while the event's originator is still working on it. Throws when it should be retried;
   * `NotYet` does not count as an attempt.
   */
  readonly follow: (event: RecordedEvent, signal: AbortSignal) => Promise<void>;
};

type Typed<Type extends EventType> = Omit<Follower, 'types' | 'follow'> & {
  readonly types: readonly Type[];
  readonly follow: (event: Recorded<EventOf<Type>>, signal: AbortSignal) => Promise<void>;
};

/** A follower of events of these types. An unreadable event is set aside like any that fails. */
export function followerOf<Type extends EventType>(follower: Typed<Type>): Follower {
  return {
    ...follower,
    follow: async (event, signal) => {
      if (!isOf(event, ...follower.types)) throw new UnreadableEvent(event);
      await follower.follow(event, signal);
    },
  };
}

/**
 * A precondition is not met yet, through no fault of the event: the read models lag behind. The follower waits for as
 * long as that takes.
 */
export class NotYet extends Error {
  readonly code = 'NOT_YET';
  constructor(what: string) {
    super(what);
    this.name = 'NotYet';
  }
}
