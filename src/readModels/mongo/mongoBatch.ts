/** The content of one batch of changes. */
import type { Change, Position } from '../readModels.ts';

/** A change with its states as JSON; `isLarge`: they are read from the documents instead. */
export type OutboxChange = {
  readonly model: string;
  readonly id: string;
  readonly kind: Change['kind'];
  readonly position: Position;
  readonly data: string | null;
  readonly old: string | null;
  readonly isLarge?: true;
};

/**
 * A build replaced another, or was removed (`collection` is empty): watchers receive what it has beyond `after`, up to
 * its checkpoint at the time. It is also a fence: a process that unknowingly keeps writing to the previous build
 * publishes nothing after it.
 */
export type Switch = {
  readonly model: string;
  readonly collection: string;
  readonly after: Position;
  readonly upTo: Position;
};

export type Batch = {
  readonly _id: string;
  readonly at: Date;
  readonly changes: readonly OutboxChange[];
  readonly switched?: Switch;
};
