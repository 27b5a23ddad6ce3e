/**
 * A follower: what is quick, idempotent and follows from one event. One ordered subscriber each under the leader's lease; its position is kept
 * beside the claims. What fails three times is set aside as an item of work and holds nobody up. One file each in `followers/`.
 */
import type { RecordedEvent } from '../eventStore/eventStore.ts';

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

/** What it takes is not there yet, through no fault of the event: the read models are behind. The follower waits with it, for as long as that takes. */
export class NotYet extends Error {
  readonly code = 'NOT_YET';
  constructor(what: string) {
    super(what);
    this.name = 'NotYet';
  }
}
