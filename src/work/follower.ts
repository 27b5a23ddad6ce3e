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
  /** Safe to repeat. Throws when it should be tried again. */
  readonly follow: (event: RecordedEvent, signal: AbortSignal) => Promise<void>;
};
