/** Reading one stream, and the log in order. */
import type { RecordedEvent as ClientEvent } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { currentMetadata } from '../../domain/stored/metadata.ts';
import { passes } from '../eventFilter.ts';
import type { AllRead, EventFilter, ReadAllOptions, ReadOptions, RecordedEvent, StreamRead } from '../eventStore.ts';
import { fromPosition, toPosition } from '../positions.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf } from './eventStoreDbErrors.ts';
import { type RetryPolicy, withRetries } from './eventStoreDbRetry.ts';

export type { ClientEvent };

type Direction = 'forward' | 'backward';
type Gone = { readonly status: 'missing' } | { readonly status: 'deleted' };

export type Reader = ReturnType<typeof createReader>;

const DIRECTIONS = { forward: 'forwards', backward: 'backwards' } as const;

export function createReader(connection: EventStoreDbConnection, retryPolicy: RetryPolicy) {
  /** The raw events of a stream, including those hidden by the port. */
  const records = (stream: string, from: bigint | 'start' | 'end', direction: Direction, count?: number) =>
    withRetries(
      retryPolicy,
      async (): Promise<Gone | { readonly status: 'found'; readonly records: readonly ClientEvent[] }> => {
        const found: ClientEvent[] = [];
        const options = {
          fromRevision: from,
          direction: DIRECTIONS[direction],
          ...(count === undefined ? {} : { maxCount: count }),
        };
        try {
          for await (const { event } of connection.received(connection.readStream(stream, options)))
            if (event) found.push(event);
        } catch (error) {
          const fate = fateOf(error);
          if (fate === 'deleted' || fate === 'missing') return { status: fate };
          throw error;
        }
        return { status: 'found', records: found };
      },
    );

  const metadata = async (stream: string): Promise<Readonly<Record<string, unknown>>> => {
    const read = await records(`$$${stream}`, 'end', 'backward', 1);
    return (
      (read.status === 'found'
        ? (read.records[0]?.data as Readonly<Record<string, unknown>> | undefined)
        : undefined) ?? {}
    );
  };

  /** The end of a stream. `position` is 0n if its last events were truncated. */
  const tail = async (
    stream: string,
  ): Promise<Gone | { readonly status: 'found'; readonly revision: bigint; readonly position: bigint }> => {
    const read = await records(stream, 'end', 'backward', 1);
    if (read.status !== 'found') return read;
    const [last] = read.records;
    if (last !== undefined) return { status: 'found', revision: last.revision, position: positionOf(last) };
    // Fully truncated; `truncate` never hides more than exists, so the first revision to be shown is the next one.
    return { status: 'found', revision: truncatedBefore(await metadata(stream)) - 1n, position: 0n };
  };

  async function read(stream: string, { from, direction = 'forward', limit }: ReadOptions = {}): Promise<StreamRead> {
    const place = from ?? (direction === 'forward' ? 'start' : 'end');
    const found =
      limit !== undefined && limit <= 0
        ? ({ status: 'found', records: [] } as const)
        : await records(stream, place, direction, limit);
    if (found.status !== 'found') return found;
    const events = found.records.flatMap((record) => toRecordedEvent(record) ?? []);
    const reachesEnd =
      direction === 'forward' ? limit === undefined || found.records.length < limit : from === undefined;
    const last = reachesEnd ? found.records.at(direction === 'forward' ? -1 : 0) : undefined;
    if (last !== undefined) return { status: 'found', events, revision: last.revision };
    const end = await tail(stream);
    return end.status === 'found' ? { status: 'found', events, revision: end.revision } : end;
  }

  async function one(options: Parameters<EventStoreDbConnection['readAll']>[0]): Promise<ClientEvent | null> {
    return withRetries(retryPolicy, async () => {
      let found: ClientEvent | null = null;
      for await (const { event } of connection.received(connection.readAll({ ...options, maxCount: 1 })))
        found = event ?? found;
      return found;
    });
  }

  /** The newest position, including the server's own events; 0n in an empty log. */
  const head = async () => {
    const newest = await one({ fromPosition: 'end', direction: 'backwards' });
    return newest === null ? 0n : positionOf(newest);
  };
  /** The first event at or after `position`, including the server's own. */
  const firstFrom = (position: bigint) => one({ fromPosition: { commit: position, prepare: position } });
  /** Streams with metadata or a tombstone: nothing else hides events. */
  const alteredStreams = () =>
    withRetries(retryPolicy, async () => {
      const altered = new Set<string>();
      const filter = { types: ['$metadata', '$streamDeleted'] };
      for await (const { record } of connection.readFiltered(
        filteredRead(null, 'forward', Number.MAX_SAFE_INTEGER, filter),
      ))
        if (filter.types.includes(record.type)) altered.add(record.streamId.replace(/^\$\$/, ''));
      return altered;
    });
  return {
    read,
    records,
    tail,
    metadata,
    head,
    firstFrom,
    alteredStreams,
    readAll: createReadAll(connection, retryPolicy, head),
  };
}

/** `last`: the last event read. `more`: there may be others after it. */
type Page = { readonly events: readonly RecordedEvent[]; readonly last: bigint | null; readonly more: boolean };

const DEFAULT_PAGE = 1_000;
/** A page ends early at this many characters, since events may be large. */
const PAGE_CHARACTERS = 8 * 1024 * 1024;
/** If no more than this many events remain, they are received rather than the call cancelled. */
const NEAR = 4;

function createReadAll(connection: EventStoreDbConnection, retryPolicy: RetryPolicy, head: () => Promise<bigint>) {
  /** Up to `limit` events after `after`, and whether more may follow. */
  function page(
    after: bigint | null,
    direction: Direction,
    limit: number,
    characters: number,
    filter: EventFilter | undefined,
  ): Promise<Page> {
    const isForward = direction === 'forward';
    return withRetries(retryPolicy, async () => {
      const events: RecordedEvent[] = [];
      let last = after;
      let size = 0;
      // One extra shows whether anything is left; another one may be `after` itself.
      let left = limit + 2;
      let isFull = false;
      for await (const { record, bytes } of connection.readFiltered(
        filteredRead(after, direction, limit + 2, filter),
      )) {
        left -= 1;
        const position = positionOf(record);
        if (after !== null && (isForward ? position <= after : position >= after)) continue;
        isFull ||= events.length >= limit || size >= characters;
        if (isFull && left > NEAR) break;
        if (isFull) continue;
        last = position;
        const event = toRecordedEvent(record);
        if (event === null || !passes(event, filter)) continue;
        events.push(event);
        size += bytes;
      }
      return { events, last, more: isFull || left <= 0 };
    });
  }

  /**
   * Reads pages until there are enough events or nothing is left: the adapter's part of a filter may hide whole pages.
   */
  async function pages(
    after: bigint | null,
    direction: Direction,
    limit: number,
    characters: number,
    filter: EventFilter | undefined,
  ): Promise<Page> {
    for (let from = after; ; ) {
      const next = await page(from, direction, limit, characters, filter);
      if (!next.more || next.events.length > 0 || next.last === from) return next;
      from = next.last;
    }
  }

  return async ({
    after,
    direction = 'forward',
    limit = DEFAULT_PAGE,
    characters = PAGE_CHARACTERS,
    filter,
  }: ReadAllOptions = {}): Promise<AllRead> => {
    const from = after === undefined ? null : fromPosition(after);
    // Read first: if nothing more is found, everything up to there has been read.
    const end = direction === 'forward' ? await head() : 0n;
    const { events, last, more } = await pages(from, direction, Math.max(0, limit), characters, filter);
    const reached = last ?? from ?? 0n;
    if (more) return { events, next: toPosition(reached), end: false };
    return { events, next: toPosition(direction === 'forward' && reached > end ? reached : end), end: true };
  };
}

/**
 * Null for events this product cannot have written (binary data, links, the store's own): skipped wherever they occur.
 */
export function toRecordedEvent(record: ClientEvent): RecordedEvent | null {
  const { id, type, streamId: stream, revision, data, metadata, created } = record;
  if (!record.isJson || type.startsWith('$') || stream.startsWith('$') || typeof data !== 'object' || data === null)
    return null;
  const known = typeof metadata === 'object' && metadata !== null && !(metadata instanceof Uint8Array);
  const eventMetadata = known
    ? (metadata as RecordedEvent['metadata'])
    : currentMetadata({ at: created.toISOString() }, id);
  return { id, type, data, metadata: eventMetadata, stream, revision, position: toPosition(positionOf(record)) };
}

/** A write over gRPC has a single position: prepare equals commit. */
export function positionOf({ position }: ClientEvent): bigint {
  return position?.commit ?? 0n;
}

/** The revision before which a stream is hidden, from its metadata. */
export function truncatedBefore({ $tb }: { readonly $tb?: unknown }): bigint {
  return typeof $tb === 'number' ? BigInt($tb) : 0n;
}

/** What the server filters by: event types or stream names. */
type ServerFilter =
  | { readonly by: 'type' | 'stream'; readonly prefixes: readonly string[] }
  | { readonly by: 'type'; readonly regex: string };

/** Everything but the server's own events. Short on purpose: the server compiles a pattern again for every call. */
const ALL_BUT_SYSTEM: ServerFilter = { by: 'type', regex: '^[^$]' };
/** Nothing that the port shows begins like that: `$` is the server's own. */
const NOTHING: ServerFilter = { by: 'type', prefixes: ['$ nothing'] };

/**
 * The server-side filter, as prefixes: the names of types are themselves the prefixes asked for. A pattern of all types
 * would cost the server more than 0.1 s for every call. The server lets through more than was asked for (types that
 * only begin like that), so what arrives must be filtered again, by `passes`. It filters by types or by stream names:
 * if both are given, by types, since they are more selective.
 */
export function serverFilter(filter: EventFilter | undefined): ServerFilter {
  if (filter?.types?.length === 0 || filter?.streamPrefixes?.length === 0) return NOTHING;
  if (filter?.types !== undefined) return { by: 'type', prefixes: filter.types };
  return filter?.streamPrefixes === undefined ? ALL_BUT_SYSTEM : { by: 'stream', prefixes: filter.streamPrefixes };
}

/** How many events the server scans at a time for matches. */
const READ_WINDOW = 1_000;

function filteredRead(from: bigint | null, direction: Direction, count: number, filter: EventFilter | undefined) {
  const { AllOptions, FilterOptions, Position, UUIDOption } = streams.ReadReq.Options;
  const empty = new shared.Empty();
  const place = new AllOptions();
  if (from === null || (from === 0n && direction === 'forward'))
    direction === 'forward' ? place.setStart(empty) : place.setEnd(empty);
  else place.setPosition(new Position().setCommitPosition(String(from)).setPreparePosition(String(from)));
  const wanted = serverFilter(filter);
  const filterOptions = new FilterOptions().setMax(READ_WINDOW).setCheckpointintervalmultiplier(1);
  const expression = new FilterOptions.Expression();
  if ('regex' in wanted) expression.setRegex(wanted.regex);
  else expression.setPrefixList([...wanted.prefixes]);
  if (wanted.by === 'type') filterOptions.setEventType(expression);
  else filterOptions.setStreamIdentifier(expression);
  const options = new streams.ReadReq.Options().setAll(place).setFilter(filterOptions).setCount(String(count));
  options.setReadDirection(direction === 'forward' ? 0 : 1).setUuidOption(new UUIDOption().setString(empty));
  return new streams.ReadReq().setOptions(options);
}
