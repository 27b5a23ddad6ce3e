/**
 * The read-model port: documents that projections write and routes read.
 * A *model* is a named collection (`jobs`). It may have several *builds* (`v1`, `v2`); one of them serves, another may be
 * filled beside it and then switched to. Adapters: `sqlite.ts` (embedded), `mongoDb.ts` (for many processes). Contract suite: `tests/contract/readModels.ts`.
 */

/** Log position, see the event store port: 20 digits, compared as strings. */
export type Position = string;

type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A stored document. `data` is the projection's own record; `position` is that of the last event applied to it. */
export type StoredDocument<T extends object = Record<string, JsonValue>> = { readonly id: string; readonly position: Position; readonly data: T };

/** What a model is: its name, the fields that `find` may filter and sort by (paths in `data`), and its code's version. */
export type ModelDefinition = {
  readonly name: string;
  /** Raise it when `evolve` or the document changes: the model is then built anew beside the serving one. */
  readonly version: number;
  /** Each list is one compound index, e.g. `[['userId', 'createdAt']]`. A query must be covered by one of them, or it is refused. */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Fields that stay with a deleted document's tombstone, so that a filtered `watch` that resumes can tell whose document went
   * (`['userId']`). Never anything personal: a tombstone outlives the deletion. Default: none, then only an unfiltered watch sees it.
   */
  readonly tombstoneFields?: readonly string[];
  /**
   * Its documents are large, and hardly anybody watches them: where changes are kept for other processes, they are kept without the states. Who watches is
   * told the newest state, as an update of one that is not known.
   */
  readonly isBulky?: true;
};

export type Scalar = string | number | boolean | null;
export type Condition = Scalar | { readonly gt?: Scalar; readonly gte?: Scalar; readonly lt?: Scalar; readonly lte?: Scalar; readonly in?: readonly Scalar[] };

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

export type Page<T extends object> = { readonly documents: readonly StoredDocument<T>[]; readonly cursor: string | null };

/** One document's change: `data: null` deletes (a tombstone with its position stays, so that an older event cannot bring it back). */
export type Write = { readonly id: string; readonly position: Position; readonly data: object | null };

/** An event that could not be applied to one document. That document is frozen at its last good state until the retry. */
export type ParkedRecord = {
  readonly model: string;
  readonly build: string;
  readonly documentId: string;
  /** First event that could not be applied; everything from here on is still to be applied to the document. */
  readonly position: Position;
  readonly eventType: string;
  readonly error: string;
  readonly parkedAt: string;
};

export type Commit = {
  readonly model: string;
  readonly build: string;
  /** The checkpoint after this commit. Never moves back: an older one is ignored. */
  readonly checkpoint: Position;
  readonly writes: readonly Write[];
  readonly park?: readonly ParkedRecord[];
  readonly unpark?: readonly string[];
};

export type CommitResult = {
  /** Writes left out because the document already was at that position or later. */
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
  /** Creates the build and its indexes where absent. Idempotent. */
  prepare(definition: ModelDefinition, build: string): Promise<void>;
  /** The build that answers queries; null before the first `serve`. */
  serving(model: string): Promise<string | null>;
  /** Makes `build` the serving one at once for every reader, and removes the model's other builds. */
  serve(model: string, build: string): Promise<void>;
  /** Null when nothing was committed yet. */
  checkpoint(model: string, build: string): Promise<Position | null>;
  /** Forgets the build: documents, tombstones, parked records, checkpoint. */
  drop(model: string, build: string): Promise<void>;

  /** Reads from the serving build unless one is named. Answers may be shared between readers and frozen: change a copy. */
  get<T extends object>(model: string, id: string, build?: string): Promise<StoredDocument<T> | null>;
  /** In the order of `ids`, missing and deleted ones left out. */
  getMany<T extends object>(model: string, ids: readonly string[], build?: string): Promise<readonly StoredDocument<T>[]>;
  /** As `getMany`, with the tombstones of deleted documents. */
  states(model: string, ids: readonly string[], build: string): Promise<readonly DocumentState[]>;
  /**
   * Covered by an index when the index begins with the fields compared for equality (or `in`), in any order, and goes on with the
   * field of the range (one at most) and then those of the sort (all in one direction; a range field comes first in it).
   * @throws ReadModelError with code UNINDEXED_QUERY, INVALID_QUERY, INVALID_CURSOR
   */
  find<T extends object>(model: string, query: Query, build?: string): Promise<Page<T>>;
  count(model: string, where?: Query['where'], build?: string): Promise<number>;

  /**
   * Documents and checkpoint together, all commits of the call in one transaction where the store has one.
   * @throws DocumentRefused when a document cannot be stored at all (then nothing of the call was); ReadModelError UNKNOWN_BUILD
   */
  commit(commits: readonly Commit[]): Promise<readonly CommitResult[]>;
  parked(model?: string): Promise<readonly ParkedRecord[]>;

  /**
   * Changes of the serving builds, in commit order, each once. With `after`, first what changed since that position (the newest
   * state of each changed document, tombstones as DELETE), then live. Ends when `signal` aborts. A document that leaves `where`
   * comes as DELETE, one that enters it as INSERT. For a consumer that lags far behind, several changes of one document become one
   * with its newest state. `kind` is UPDATE and `old` null (or the tombstone's fields) where the earlier state is no longer known.
   */
  watch(options: {
    readonly models: readonly string[];
    readonly after?: Position;
    readonly where?: Query['where'];
    readonly signal?: AbortSignal;
    /** Called once, when everything since `after` has been taken and the next change is awaited. */
    readonly onCaughtUp?: () => void;
  }): AsyncIterable<Change>;
  /** Resolves when the serving builds of all `models` have reached `position` (true), or after `timeoutMs` (false). */
  reached(models: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
};

/** Reading documents by their ids: of the models as they are, or as they were. */
export type Documents = Pick<ReadModels, 'get' | 'getMany'>;

export class ReadModelError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ReadModelError';
    this.code = code;
  }
}

/** This one document cannot be stored (no JSON value, no valid id or position); others can. */
export class DocumentRefused extends ReadModelError {
  readonly model: string;
  readonly documentId: string;
  constructor(model: string, documentId: string, why: string) {
    super('DOCUMENT_REFUSED', `Document ${documentId} of ${model} cannot be stored: ${why}`);
    this.model = model;
    this.documentId = documentId;
  }
}
