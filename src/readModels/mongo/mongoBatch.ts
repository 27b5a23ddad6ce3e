/** What stands in one batch of changes. */
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
 * A build took another's place, or none did (`collection` is empty): watchers are told what it knows beyond `after`, up to its checkpoint then.
 * It is also a fence: who wrote to the build before without knowing tells nothing behind it.
 */
export type Switch = { readonly model: string; readonly collection: string; readonly after: Position; readonly upTo: Position };

export type Batch = { readonly _id: string; readonly at: Date; readonly changes: readonly OutboxChange[]; readonly switched?: Switch };
