/**
 * The snapshot port: states folded from the log, so that the same events need not be folded again. Stored next to the
 * read models, but not part of a build. Losing them costs only time, and a snapshot is never trusted on its own: the
 * reader checks that the log still has the event it names at its position. Adapters: `sqliteSnapshots.ts`,
 * `mongoSnapshots.ts`. Contract suite: `tests/contract/snapshots.ts`.
 */

export type SnapshotPlace = {
  /** Name of the fold: `bill`. */
  readonly name: string;
  /** What was folded: a stream, or a report's parameters. */
  readonly key: string;
};

export type SnapshotHead = SnapshotPlace & {
  /**
   * Version of the fold, an integer: raised whenever the same events lead to another state, or the state's format
   * changes.
   */
  readonly version: number;
  /**
   * How far it extends: the last event's position in the log, or its revision in the stream; 20 digits, compared as
   * text (`snapshotPosition`).
   */
  readonly position: string;
  /**
   * Hash of that event (`hashOf`), plus anything else the state depends on: if the log has a different one there, the
   * state belongs to another history.
   */
  readonly hash: string;
};

export type Snapshot = SnapshotHead & {
  /** JSON, as one document or as lines: stored as is, compressed. */
  readonly state: string;
};

export type Snapshots = {
  /** Null if there is none, or the stored one cannot be read. */
  read(place: SnapshotPlace): Promise<Snapshot | null>;
  /**
   * Replaces the existing one, unless that has a later version, or the same version and reaches as far (`known`): of
   * several writers, the most advanced wins, in whatever order they write. `too_large`: it is not stored, and the
   * existing one stays.
   */
  write(snapshot: Snapshot): Promise<'written' | 'known' | 'too_large'>;
  /** Removes it permanently; removing an absent one is fine. */
  remove(place: SnapshotPlace): Promise<void>;
  /** A page of all snapshots without their states, each once, `after` the last one of the previous page. */
  list(query: { readonly after?: SnapshotPlace; readonly limit: number }): Promise<readonly SnapshotHead[]>;
};

/** Formats a stream revision, or a number of events, as a snapshot position. */
export const snapshotPosition = (revision: bigint): string => revision.toString().padStart(20, '0');
