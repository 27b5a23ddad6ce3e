/**
 * The event store port: what the product needs from an event log, independent of the store. Adapters: `sqlite.ts`
 * (embedded), `eventStoreDb.ts`. The contract suite in `tests/contract/eventStore.ts` applies to every adapter.
 */

import type { DomainEvent } from '../domain/decider.ts';
import type { EventMetadata } from '../domain/stored/metadata.ts';

/** Revision of an event in its stream, from 0n. A bigint, because stores count in 64 bits. */
export type Revision = bigint;

/**
 * Position in the log of all events: a decimal string padded with zeros to 20 digits, so that plain string comparison
 * is log order, and JSON, SQLite and MongoDB store it unchanged. Opaque and never assumed contiguous.
 */
export type Position = string;

/** Before the first event of the log. */
export const START: Position = '0'.repeat(20);

export type ExpectedRevision = Revision | 'no_stream' | 'any';

export type NewEvent = {
  /** UUID; the key for idempotent retries. */
  readonly id: string;
  readonly type: string;
  /** JSON values only. */
  readonly data: object;
  readonly metadata: EventMetadata;
};

export type RecordedEvent = NewEvent & {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  /**
   * Why its data is unreliable: it is damaged, its type or version is unknown, or an id needed to find it is invalid.
   * Without any of its values.
   */
  readonly unreadable?: string;
  /** The version of its type stored in the log, if it was upcast from an earlier one. */
  readonly storedVersion?: number;
};

/** What a fold over the whole log needs of an event: not its id, nor its place in its stream. */
export type ScannedEvent = Omit<RecordedEvent, 'id' | 'stream' | 'revision'>;

/** A recorded event with its JSON as it is stored. */
export type RecordedText = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'> & {
  readonly dataJson: string;
  readonly metadataJson: string;
};

/** A recorded event whose type and data belong to a domain union. */
export type Recorded<Event extends DomainEvent> = RecordedEvent & Event;

export type AppendOptions = {
  readonly expected: ExpectedRevision;
  /**
   * Only for a store that `chains`: the streams that are permanently deleted when this event is written. If given, each
   * event names its predecessor in the stream by hash, and one that closes streams records their last hashes.
   */
  readonly closes?: (event: NewEvent) => readonly string[];
};

export type AppendResult = { readonly revision: Revision; readonly position: Position };

export type StreamRead =
  | { readonly status: 'found'; readonly events: readonly RecordedEvent[]; readonly revision: Revision }
  | { readonly status: 'missing' }
  /** Permanently deleted: it can never be written again. */
  | { readonly status: 'deleted' };

export type ReadOptions = {
  /** First revision to return (inclusive). Default: the first, or the last when reading backward. */
  readonly from?: Revision;
  readonly direction?: 'forward' | 'backward';
  /** Default: everything. */
  readonly limit?: number;
};

/** An event passes when it matches every given list (types exactly, streams by prefix). */
export type EventFilter = { readonly types?: readonly string[]; readonly streamPrefixes?: readonly string[] };

export type ReadAllOptions = {
  /** Exclusive. Default: from the start, or from the end when reading backward. */
  readonly after?: Position;
  readonly direction?: 'forward' | 'backward';
  /** Default 1,000. Fewer may be returned if the events are large: `end` says whether any are left. */
  readonly limit?: number;
  /** Ends the page soon after its events have so many, counted as stored: for many reads side by side. */
  readonly characters?: number;
  readonly filter?: EventFilter;
};

export type ScanOptions = Omit<ReadAllOptions, 'direction' | 'characters'>;

export type AllRead<Event = RecordedEvent> = {
  readonly events: readonly Event[];
  /** Where to continue (as `after`): may lie beyond the last event if a filter skipped others. */
  readonly next: Position;
  /** True when nothing was left to read. */
  readonly end: boolean;
};

export type SubscriptionMessage =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  /** Progress through events that the filter hides. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** Once per catch-up: everything that existed has been delivered. */
  | { readonly kind: 'caughtUp'; readonly position: Position };

export type SubscribeOptions = {
  /** Exclusive; 'end' means only events from now on. Default: from the start. */
  readonly after?: Position | 'end';
  readonly filter?: EventFilter;
  /** Largest batch; also bounds what is buffered. Default 500. */
  readonly batchSize?: number;
  readonly signal?: AbortSignal;
};

export type EventStore = {
  /**
   * Appends all events or none, at exactly the expected revision.
   * A retry with the same ids and the same expected revision succeeds without writing again.
   * Concurrent appends at exact revisions are written in the order requested, unless one of them fails.
   * @throws RevisionConflict, StreamDeleted, EventTooLarge, InvalidAppend, MalformedEvent, StoreClosed,
   *   StoreUnavailable
   */
  append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult>;
  /**
   * Appends can link events themselves (`closes`): only where nothing else can be written between reading the end of a
   * stream and appending to it.
   */
  readonly chains?: true;
  read(stream: string, options?: ReadOptions): Promise<StreamRead>;
  readAll(options?: ReadAllOptions): Promise<AllRead>;
  /**
   * Like `readAll` forward, but reads only part of each event, which is faster. Only where the store can leave columns
   * out.
   */
  readonly scan?: (options: ScanOptions) => Promise<AllRead<ScannedEvent>>;
  /**
   * Like `readAll` forward, without parsing what is stored: events of earlier versions are not converted, whatever the
   * store is wrapped in. For copying, and only where the store keeps the text as it was written.
   */
  readonly readTexts?: (options: ScanOptions) => Promise<AllRead<RecordedText>>;
  /**
   * Streams that were truncated or deleted; all others show everything ever written to them. Only where one pass over
   * the log is cheaper than a read per stream.
   */
  readonly alteredStreams?: () => Promise<Set<string>>;
  /** The newest position, START if nothing was ever written. Never goes back, even if the newest event is deleted. */
  head(): Promise<Position>;
  /**
   * Catch-up subscription. The next message is read only when the last one has been processed, so handlers never
   * overlap. Ends when `signal` aborts or the store is closed.
   */
  subscribe(options?: SubscribeOptions): AsyncIterable<SubscriptionMessage>;
  /** Hides the events before `before`; the numbering continues. */
  truncate(stream: string, before: Revision): Promise<void>;
  /** Permanently erases its content: it can never be written again. Deleting a missing or deleted stream is fine. */
  delete(stream: string, options?: { readonly expected?: ExpectedRevision }): Promise<void>;
  /** Idempotent. Later calls fail with StoreClosed. */
  close(): Promise<void>;
};

/** Largest event: its JSON data and metadata together. */
export const MAX_EVENT_BYTES = 1024 * 1024;

/** Base class of the store's errors; `code` is stable. */
export class EventStoreError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'EventStoreError';
    this.code = code;
  }
}

export class RevisionConflict extends EventStoreError {
  /** The stream's current revision; null if it does not exist. */
  readonly actual: Revision | null;
  constructor(stream: string, expected: ExpectedRevision, actual: Revision | null) {
    super(
      'REVISION_CONFLICT',
      `Stream ${stream}: expected ${String(expected)}, but it is at ${actual === null ? 'no stream' : String(actual)}.`,
    );
    this.actual = actual;
  }
}

export class StreamDeleted extends EventStoreError {
  constructor(stream: string) {
    super('STREAM_DELETED', `Stream ${stream} was deleted for good.`);
  }
}

export class EventTooLarge extends EventStoreError {
  constructor(bytes: number) {
    super('EVENT_TOO_LARGE', `The event has ${bytes} bytes; the limit is ${MAX_EVENT_BYTES}.`);
  }
}

export class InvalidAppend extends EventStoreError {
  constructor(message: string) {
    super('INVALID_APPEND', message);
  }
}

/** Does not match its type's schema. The message names the type and the field, never a value. */
export class MalformedEvent extends EventStoreError {
  constructor(type: string, problems: readonly { readonly path: string; readonly expected: string }[]) {
    const listed = problems.slice(0, 5).map(({ path, expected }) => `${path} (expected: ${expected})`);
    super('MALFORMED_EVENT', `${type} is not in the shape of its type: ${listed.join(', ')}.`);
  }
}

/**
 * Control characters and unpaired surrogates: no name of a stream or type has them, since they would not be returned
 * unchanged.
 */
export const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** The state of a stream that contains it cannot be determined. */
export class UnreadableEvent extends EventStoreError {
  readonly stream: string;
  constructor({
    type,
    stream,
    revision,
    unreadable = '',
  }: Pick<RecordedEvent, 'type' | 'stream' | 'revision' | 'unreadable'>) {
    super('UNREADABLE_EVENT', `${type} at revision ${revision} of ${stream} cannot be read: ${unreadable}.`);
    this.stream = stream;
  }
}

export class StoreClosed extends EventStoreError {
  constructor() {
    super('STORE_CLOSED', 'The event store is closed.');
  }
}

export class StoreUnavailable extends EventStoreError {
  constructor(message: string) {
    super('STORE_UNAVAILABLE', message);
  }
}

/** Compares two positions in log order, for sorting. */
export function comparePositions(a: Position, b: Position): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
