/**
 * The read-model port: documents written by projections and read by routes. A *model* is a named collection (`jobs`).
 * It may have several *builds* (`v1`, `v2`); one of them serves while another may be filled next to it and then
 * switched to. Adapters: `sqlite.ts` (embedded), `mongoDb.ts` (for many processes). Contract suite:
 * `tests/contract/readModels.ts`.
 */

/** Log position, see the event store port: 20 digits, compared as strings. */
export type Position = string;

type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A stored document. `data` is the projection's own record; `position` is that of the last event applied to it. */
export type StoredDocument<T extends object = Record<string, JsonValue>> = {
  readonly id: string;
  readonly position: Position;
  readonly data: T;
};

/**
 * Defines a model: its name, the fields that `find` may filter and sort by (paths in `data`), and its code's version.
 */
export type ModelDefinition = {
  readonly name: string;
  /** Raise it when `evolve` or the document changes: the model is then rebuilt next to the serving build. */
  readonly version: number;
  /**
   * Raise it, too, when code of another version would misread the documents: processes whose `shape` differs from that
   * of the serving build refuse to read it. Default 1.
   */
  readonly shape?: number;
  /**
   * Each list is one compound index, e.g. `[['userId', 'createdAt']]`. A query not covered by one of them is refused.
   */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Fields kept in a deleted document's tombstone, so that a filtered `watch` that resumes can tell whose document was
   * deleted (`['userId']`). Never personal data: a tombstone outlives the deletion. Default: none, so only an
   * unfiltered watch sees the deletion.
   */
  readonly tombstoneFields?: readonly string[];
  /**
   * Its documents are large and rarely watched: changes kept for other processes omit the states. Watchers receive the
   * newest state, as an update of an unknown one.
   */
  readonly isBulky?: true;
};

export type Scalar = string | number | boolean | null;
export type Condition =
  | Scalar
  | {
      readonly gt?: Scalar;
      readonly gte?: Scalar;
      readonly lt?: Scalar;
      readonly lte?: Scalar;
      readonly in?: readonly Scalar[];
    };

export type Query = {
  /** Fields of `data`, or `position`. */
  readonly where?: Readonly<Record<string, Condition>>;
  /** Ties are broken by id, so that paging never skips or repeats. Default: by id. */
  readonly sort?: readonly (readonly [field: string, direction: 'asc' | 'desc'])[];
  /** Default 50, at most 1,000. */
  readonly limit?: number;
  /** From the previous page. */
  readonly cursor?: string;
};

/** What a projection folds on: a document or, with `data: null`, the tombstone of a deleted one. */
export type DocumentState = { readonly id: string; readonly position: Position; readonly data: object | null };

export type Page<T extends object> = {
  readonly documents: readonly StoredDocument<T>[];
  readonly cursor: string | null;
};

/**
 * One document's change: `data: null` deletes (a tombstone with its position stays, so that an older event cannot
 * restore it).
 */
export type Write = { readonly id: string; readonly position: Position; readonly data: object | null };

/**
 * An event that could not be applied to one document. That document stays frozen at its last good state until the
 * retry.
 */
export type ParkedRecord = {
  readonly model: string;
  readonly build: string;
  readonly documentId: string;
  /** First event that could not be applied; everything from here on is still pending for the document. */
  readonly position: Position;
  readonly eventType: string;
  readonly error: string;
  readonly parkedAt: string;
};

export type BuildName = { readonly model: string; readonly build: string };

export type Commit = BuildName & {
  /**
   * The build's own checkpoint after this commit. Never moves back: an older one is ignored. Left out: it stays, as
   * does that of a build for which the shared checkpoint speaks.
   */
  readonly checkpoint?: Position;
  /**
   * Names the newest event up to the checkpoint that any projection handles: text that begins with its position, so
   * that text order is log order. Kept with the checkpoint, and replaced by a newer one only; opaque to the store.
   */
  readonly lastEvent?: string;
  readonly writes: readonly Write[];
  readonly park?: readonly ParkedRecord[];
  readonly unpark?: readonly string[];
  /** A store that writes large commits in parts writes and publishes this one first. */
  readonly isUrgent?: true;
};

/**
 * One checkpoint for all builds that are fed together, so that a batch of events costs one write however many models
 * there are. It is written with the list of builds it speaks for: a commit with another list is refused, since one that
 * has been replaced meanwhile would leave events out.
 */
export type SharedCheckpoint = {
  readonly position: Position;
  /** As in `Commit`. */
  readonly lastEvent?: string;
  readonly builds: readonly BuildName[];
};

export type CommitResult = {
  /** Writes skipped because the document was already at that position or later. */
  readonly skipped: number;
};

export type Change = {
  readonly model: string;
  readonly id: string;
  readonly kind: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly data: object | null;
  readonly old: object | null;
  readonly position: Position;
};

export type ReadModels = {
  /** Creates the build and its indexes if absent. Idempotent. */
  prepare(definition: ModelDefinition, build: string): Promise<void>;
  /** The build that answers queries; null before the first `serve`. */
  serving(model: string): Promise<string | null>;
  /**
   * Position of the serving build: everything up to it is in what is read afterwards. START: nothing yet; null: no
   * build is serving, or this process cannot read it.
   */
  servedPosition(model: string): Promise<Position | null>;
  /** Makes `build` the serving one immediately for every reader, and removes the model's other builds. */
  serve(model: string, build: string): Promise<void>;
  /**
   * From now on the shared checkpoint speaks for exactly these builds, from where the last of them is. Those that are
   * further keep their own checkpoint until it has passed them; those it no longer speaks for keep it for good.
   * @throws ReadModelError UNKNOWN_BUILD
   */
  shareCheckpoint(builds: readonly BuildName[]): Promise<void>;
  /** Of the build itself, or the shared one, whichever is further. Null if nothing has been committed yet. */
  checkpoint(model: string, build: string): Promise<Position | null>;
  /** As last committed; null if no commit named one. */
  lastEvent(model: string, build: string): Promise<string | null>;
  /**
   * Models of which a document could not be read: it is damaged, and reading it is answered READ_MODELS_UNAVAILABLE
   * until another build serves.
   */
  damaged(): Promise<readonly string[]>;
  /** Removes the build: documents, tombstones, parked records, checkpoint. */
  drop(model: string, build: string): Promise<void>;

  /** Removes all builds of all other models. */
  retain(models: readonly string[]): Promise<void>;

  /**
   * Reads from the serving build unless one is named. Results may be shared between readers and frozen: change a copy.
   */
  get<T extends object>(model: string, id: string, build?: string): Promise<StoredDocument<T> | null>;
  /** In the order of `ids`, without missing and deleted ones. */
  getMany<T extends object>(
    model: string,
    ids: readonly string[],
    build?: string,
  ): Promise<readonly StoredDocument<T>[]>;
  /** Like `getMany`, with the tombstones of deleted documents. */
  states(model: string, ids: readonly string[], build: string): Promise<readonly DocumentState[]>;
  /**
   * An index covers the query if it begins with the fields compared for equality (or `in`), in any order, followed by
   * the range field (one at most) and then the sort fields (all in one direction; a range field comes first among
   * them).
   * @throws ReadModelError with code UNINDEXED_QUERY, INVALID_QUERY, INVALID_CURSOR
   */
  find<T extends object>(model: string, query: Query, build?: string): Promise<Page<T>>;
  count(model: string, where?: Query['where'], build?: string): Promise<number>;
  /**
   * How many documents of the serving build changed since the position, deleted ones included. Counts up to `limit` of
   * them.
   */
  countChanged(
    model: string,
    changed: { readonly after: Position; readonly where?: Query['where']; readonly limit: number },
  ): Promise<number>;

  /**
   * Writes documents and checkpoints together, all commits of the call in one transaction if the store supports it.
   * Several commits to one build are written in their order: interrupted, none is there without all of those before it.
   * @throws DocumentRefused when a document cannot be stored at all (then nothing of the call was); ReadModelError
   *   UNKNOWN_BUILD when a build is gone, or the shared checkpoint speaks for other builds than it says
   */
  commit(commits: readonly Commit[], shared?: SharedCheckpoint): Promise<readonly CommitResult[]>;
  parked(model?: string): Promise<readonly ParkedRecord[]>;

  /**
   * Changes of the serving builds, in commit order, each once. With `after`, first what changed since that position
   * (the newest state of each changed document, tombstones as DELETE), then live. Ends when `signal` aborts. A document
   * that no longer matches `where` is delivered as DELETE, one that starts to match as INSERT. For a consumer that lags
   * far behind, several changes of one document are merged into one with its newest state. `kind` is UPDATE and `old`
   * null (or the tombstone's fields) if the earlier state is no longer known.
   */
  watch(options: {
    readonly models: readonly string[];
    readonly after?: Position;
    readonly where?: Query['where'];
    readonly signal?: AbortSignal;
    /** Called once, when everything since `after` has been consumed and the next change is awaited. */
    readonly onCaughtUp?: () => void;
  }): AsyncIterable<Change>;
  /** Resolves when the serving builds of all `models` have reached `position` (true), or after `timeoutMs` (false). */
  reached(models: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /**
   * What `read` returns if the serving builds of all `models` reach `position` first and are still the same ones
   * afterwards; otherwise null. Only then does a missing document mean that there is none: a database may be deleted,
   * or a build replaced, at any moment.
   */
  readAsOf<T>(
    models: readonly string[],
    position: Position,
    timeoutMs: number,
    read: () => Promise<T>,
  ): Promise<{ readonly answer: T } | null>;
  close(): Promise<void>;
};

/** Reading documents by id: from the current models, or from a past state. */
export type Documents = Pick<ReadModels, 'get' | 'getMany'>;

export class ReadModelError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ReadModelError';
    this.code = code;
  }
}

/** This document cannot be stored (not JSON, or an invalid id or position); others can. */
export class DocumentRefused extends ReadModelError {
  readonly model: string;
  readonly documentId: string;
  constructor(model: string, documentId: string, why: string) {
    super('DOCUMENT_REFUSED', `Document ${documentId} of ${model} cannot be stored: ${why}`);
    this.model = model;
    this.documentId = documentId;
  }
}
