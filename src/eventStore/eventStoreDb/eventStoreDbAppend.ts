/** Appending: interpreting the server's response, and recognizing an append that was already written. */
import {
  type AppendResult,
  type ExpectedRevision,
  InvalidAppend,
  type RecordedEvent,
  RevisionConflict,
  StreamDeleted,
} from '../eventStore.ts';
import type { SerialisedEvent } from '../newEvents.ts';
import { toPosition } from '../positions.ts';
import type { SendAppend } from './eventStoreDbAppends.ts';
import { actualRevision, fateOf } from './eventStoreDbErrors.ts';
import { type ClientEvent, positionOf, type Reader } from './eventStoreDbRead.ts';
import { type RetryPolicy, withRetries } from './eventStoreDbRetry.ts';

export type Appending = {
  readonly send: SendAppend;
  readonly reader: Reader;
  readonly known: Known;
  readonly retryPolicy: RetryPolicy;
  /** The newest position seen anywhere: anything at or before it already existed. */
  readonly seen: { position: bigint };
};

type Append = (stream: string, events: readonly SerialisedEvent[], expected: ExpectedRevision) => Promise<AppendResult>;

/** How far back a stream is searched after a lost response, if no exact revision locates the events. */
const LOOK_BACK = 500;

/** The events are sent synchronously, so that appends are sent in the order requested. */
export function createAppend({ send, reader, known, retryPolicy, seen }: Appending): Append {
  /** The result if the events are in the stream from `first` on; metadata may differ by the time of the retry. */
  async function alreadyAt(
    stream: string,
    first: bigint,
    events: readonly SerialisedEvent[],
  ): Promise<AppendResult | null> {
    const read = await reader.records(stream, first, 'forward', events.length);
    const last = read.status === 'found' ? read.records[events.length - 1] : undefined;
    if (
      read.status !== 'found' ||
      last === undefined ||
      !events.every((event, index) => isSame(event, read.records[index]))
    )
      return null;
    known.note(stream, read.records);
    return { revision: last.revision, position: toPosition(positionOf(last)) };
  }

  async function conflict(stream: string, expected: ExpectedRevision): Promise<Error> {
    const end = await reader.tail(stream);
    return end.status === 'deleted'
      ? new StreamDeleted(stream)
      : new RevisionConflict(stream, expected, end.status === 'found' ? end.revision : null);
  }

  /**
   * Null if the events may be sent. The server recognizes a repeat at the old revision; at a newer one it would write
   * the same ids again.
   */
  function repeated(
    stream: string,
    events: readonly SerialisedEvent[],
    expected: ExpectedRevision,
    seenLast: readonly ClientEvent[],
  ): Promise<AppendResult> | null {
    if (expected === 'no_stream') return null;
    const revisionOf = (id: string) =>
      known.revisionOf(stream, id) ?? seenLast.find((record) => record.id === id.toLowerCase())?.revision;
    const there = events.find(({ id }) => revisionOf(id) !== undefined);
    const revision = there && revisionOf(there.id);
    if (revision === undefined || (typeof expected === 'bigint' && revision > expected)) return null;
    const refusal = new InvalidAppend(`Event ${there?.id} is already in stream ${stream}, at revision ${revision}.`);
    if (typeof expected === 'bigint') return Promise.reject(refusal);
    return alreadyAt(stream, revision, events).then((earlier) => earlier ?? Promise.reject(refusal));
  }

  async function refused(
    error: unknown,
    stream: string,
    events: readonly SerialisedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const fate = fateOf(error);
    if (fate === 'deleted') {
      known.gone(stream);
      throw new StreamDeleted(stream);
    }
    if (fate !== 'conflict') throw error;
    const actual = actualRevision(error);
    const first = expected === 'no_stream' ? 0n : typeof expected === 'bigint' ? expected + 1n : null;
    const isThere = first !== null && actual !== null && actual + 1n >= first + BigInt(events.length);
    const earlier = isThere ? await alreadyAt(stream, first, events) : null;
    if (earlier === null) throw new RevisionConflict(stream, expected, actual);
    return earlier;
  }

  /** `tries`: lost responses to appends without an exact revision. */
  async function tryOnce(
    stream: string,
    events: readonly SerialisedEvent[],
    expected: ExpectedRevision,
    tries: number,
  ): Promise<AppendResult> {
    const read = tries > 0 ? await reader.records(stream, 'end', 'backward', LOOK_BACK + events.length) : null;
    const earlier = repeated(stream, events, expected, read?.status === 'found' ? read.records : []);
    if (earlier !== null) return earlier;
    const before = seen.position;
    let written: Awaited<ReturnType<SendAppend>>;
    try {
      written = await send(stream, events, expected);
    } catch (error) {
      return refused(error, stream, events, expected);
    }
    const { revision, position } = written;
    const first = revision - BigInt(events.length - 1);
    // Its position existed before it was sent: the server took it for a repeat, by the ids alone.
    if (position === null || position <= before) {
      const found = await alreadyAt(stream, first, events);
      if (found === null) throw await conflict(stream, expected);
      return found;
    }
    if (position > seen.position) seen.position = position;
    known.note(
      stream,
      events.map(({ id }, index) => ({ id, revision: first + BigInt(index) })),
    );
    return { revision, position: toPosition(position) };
  }

  /** Nothing is written, so the check can only read the stream's end. */
  async function checkOnly(stream: string, expected: ExpectedRevision): Promise<AppendResult> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') throw new StreamDeleted(stream);
    const revision = end.status === 'found' ? end.revision : null;
    if (!isAt(revision, expected)) throw new RevisionConflict(stream, expected, revision);
    return { revision: revision ?? -1n, position: toPosition(end.status === 'found' ? end.position : 0n) };
  }

  // At an exact revision it is resent by the transport, in its place among the others.
  const sentAgain = { ...retryPolicy, retryForMs: 0 };
  return (stream, events, expected) => {
    if (events.length === 0) return checkOnly(stream, expected);
    return withRetries(expected === 'any' ? retryPolicy : sentAgain, (tries) =>
      tryOnce(stream, events, expected, tries),
    );
  };
}

/** Whether a stream at `revision` (null: missing) is where it is expected. */
export function isAt(revision: bigint | null, expected: ExpectedRevision): boolean {
  return expected === 'any' || revision === (expected === 'no_stream' ? null : expected);
}

function isSame(event: SerialisedEvent, record: ClientEvent | undefined): boolean {
  return (
    record?.id.toLowerCase() === event.id.toLowerCase() &&
    record.type === event.type &&
    JSON.stringify(record.data) === event.dataJson
  );
}

export type Known = ReturnType<typeof createKnown>;

/** The least recently used are evicted first. */
const MAX_STREAMS = 2_000;
const MAX_IDS = 200;

/** The event ids this process last saw in each stream, from reading and appending. */
export function createKnown() {
  const streams = new Map<string, Map<string, bigint>>();

  return {
    note(stream: string, events: readonly Pick<RecordedEvent, 'id' | 'revision'>[]): void {
      const ids = streams.get(stream) ?? new Map<string, bigint>();
      for (const { id, revision } of events.slice(-MAX_IDS)) ids.set(id, revision);
      for (const id of ids.keys()) {
        if (ids.size <= MAX_IDS) break;
        ids.delete(id);
      }
      streams.delete(stream);
      if (ids.size > 0) streams.set(stream, ids);
      if (streams.size > MAX_STREAMS) streams.delete(streams.keys().next().value ?? '');
    },
    revisionOf: (stream: string, id: string) => streams.get(stream)?.get(id),
    /** The stream does not exist. */
    gone: (stream: string) => void streams.delete(stream),
  };
}
