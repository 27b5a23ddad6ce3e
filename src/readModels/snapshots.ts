/**
 * The port of snapshots: states that were folded from the log, so that nobody has to fold the same events again. They are kept beside the read models
 * and are no part of a build. Losing them costs time, never truth, so a snapshot is not believed by itself: whoever reads one looks whether the log still
 * has, at its position, the event that it names. Adapters: `sqliteSnapshots.ts`, `mongoSnapshots.ts`. Contract suite: `tests/contract/snapshots.ts`.
 */

export type SnapshotPlace = {
  /** Which fold it is: `bill`. */
  readonly name: string;
  /** What was folded: a stream, or what a report was asked for. */
  readonly key: string;
};

export type SnapshotHead = SnapshotPlace & {
  /** Of the fold, a whole number: raised whenever the same events lead to another state, or the same state is written in another way. */
  readonly version: number;
  /** How far it goes: the last event's position in the log, or its revision in the stream; 20 digits, compared as text (`snapshotPosition`). */
  readonly position: string;
  /** Of that event (`hashOf`), with whatever else the state hangs on: where the log has another one there, it is the state of another history. */
  readonly hash: string;
};

export type Snapshot = SnapshotHead & {
  /** JSON, in one piece or in lines: kept as it is, compressed. */
  readonly state: string;
};

export type Snapshots = {
  /** Null when there is none, or what is kept cannot be read. */
  read(place: SnapshotPlace): Promise<Snapshot | null>;
  /**
   * In place of the one that is there, unless that one is of a later version, or of the same and goes as far (`known`): of several who write, the one who
   * knows most stays, in whatever order they come. `too_large`: it is not kept, and what was there stays.
   */
  write(snapshot: Snapshot): Promise<'written' | 'known' | 'too_large'>;
  /** For good. Removing what is not there is fine. */
  remove(place: SnapshotPlace): Promise<void>;
  /** A page of all of them without their states, each once, `after` the last one of the page before. */
  list(query: { readonly after?: SnapshotPlace; readonly limit: number }): Promise<readonly SnapshotHead[]>;
};

/** A revision in a stream, or a number of events, as the position of a snapshot. */
export const snapshotPosition = (revision: bigint): string => revision.toString().padStart(20, '0');
