/** Reading one stream, and reading the log in order. */
import type { AllRead, EventFilter, ReadAllOptions, ReadOptions, StreamRead } from '../eventStore.ts';
import { fromPosition, toPosition } from '../positions.ts';
import { currentRevision, type Head } from './sqliteAppend.ts';
import type { EventDatabase } from './sqliteFile.ts';
import { EVENT_COLUMNS, type EventRow, SCANNED_COLUMNS, type ScannedRow, toEvent } from './sqliteRows.ts';
import type { Streams } from './sqliteStreams.ts';

type LogQuery = {
  readonly after: bigint;
  readonly direction: 'forward' | 'backward';
  readonly limit: number;
  readonly characters?: number | undefined;
  readonly filter: EventFilter | undefined;
};
/** `next`: where to continue. `end`: nothing was left. */
export type LogPage<Row> = { readonly rows: readonly Row[]; readonly next: bigint; readonly end: boolean };
export type ReadLog<Row = EventRow> = (query: LogQuery) => LogPage<Row>;

/** What is read of each event. `characters`: of its texts. */
export type Columns<Row> = {
  readonly list: string;
  readonly type: (row: Row) => string;
  readonly characters: (row: Row) => number;
};
export const WHOLE_EVENTS: Columns<EventRow> = {
  list: EVENT_COLUMNS,
  type: (row) => row[3],
  characters: (row) => row[6].length + row[5].length,
};
export const SCANNED_EVENTS: Columns<ScannedRow> = {
  list: SCANNED_COLUMNS,
  type: (row) => row[1],
  characters: (row) => row[3].length + row[2].length,
};

/** One of `of` parts of the log; all events of a stream are in the same part. */
export type LogPart = { readonly nth: number; readonly of: number };

/** Limit of positions that one call scans for matching events, so that a rare match does not block the thread. */
const SCAN_WINDOW = 5_000n;
/** Rows are fetched in chunks until a page has enough text: events may be large. */
const CHUNK_ROWS = 256;
/** Where a page has a limit of its own. */
const SMALL_CHUNK_ROWS = 16;
const PAGE_CHARACTERS = 8 * 1024 * 1024;
const DEFAULT_PAGE = 1_000;

export function createReadStream(
  db: EventDatabase,
  streams: Streams,
): (stream: string, options?: ReadOptions) => StreamRead {
  const select = (comparison: string, order: string) =>
    db
      .prepare<[number, string, bigint, number], EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_of_stream
         WHERE stream_key = ? AND stream = ? AND revision ${comparison} ? ORDER BY revision ${order} LIMIT ?`,
      )
      .raw()
      .safeIntegers();
  const forward = select('>=', 'ASC');
  const backward = select('<=', 'DESC');
  return (stream, { from, direction = 'forward', limit = -1 } = {}) => {
    const state = streams.get(stream);
    if (state.status === 'hard') return { status: 'deleted' };
    const revision = currentRevision(state);
    if (revision === null) return { status: 'missing' };
    const rows =
      direction === 'forward'
        ? forward.all(state.key, stream, from ?? 0n, limit)
        : backward.all(state.key, stream, from ?? revision, limit);
    return { status: 'found', events: rows.map(toEvent), revision };
  };
}

/** Up to this many types are always read by index and merged. Merging costs more per type. */
const MOST_INDEXED_TYPES = 8;
/**
 * Up to this many are read so where they are rare, which depends on their events only; where they are common, a scan is
 * faster.
 */
const MOST_MERGED_TYPES = 40;
/**
 * With more types than that, so few events are all read and compared here: binding that many names for each commit
 * takes longer.
 */
const SHORT_RANGE = 256n;
/** Common: one event of the log in this many. */
const COMMON = 2n;

/**
 * The shape of a page query: `types` and `prefixes` are the numbers of values in the filter, null if it has none.
 * `merged`: the types are read by index and merged; otherwise the table is scanned.
 */
export type LogShape = {
  readonly forward: boolean;
  readonly types: number | null;
  readonly prefixes: number | null;
  readonly merged: boolean;
};

/** The statement for a page, with named parameters: `after`, `last`, `limit`, `type0` …, `prefix0` … */
export function logStatement(
  { forward, types, prefixes, merged }: LogShape,
  columns = EVENT_COLUMNS,
  part: LogPart | null = null,
): string {
  const range = forward ? 'position > @after AND position <= @last' : 'position < @after AND position >= @last';
  const parameters = (name: string, count: number | null) =>
    Array.from({ length: count ?? 0 }, (_, index) => `@${name}${index}`);
  const typeParameters = parameters('type', types);
  const ofStream = parameters('prefix', prefixes).map((prefix) => `substr(stream, 1, length(${prefix})) = ${prefix}`);
  const conditions = [
    range,
    ...(part === null ? [] : [`stream_key % ${part.of} = ${part.nth}`]),
    ...(prefixes === null ? [] : [ofStream.length === 0 ? 'FALSE' : `(${ofStream.join(' OR ')})`]),
  ];
  const order = `ORDER BY position ${forward ? 'ASC' : 'DESC'} LIMIT @limit`;
  if (merged) {
    // Each part comes in log order from the index, so SQLite merges them and stops at the limit.
    const parts = typeParameters.map(
      (type) =>
        `SELECT ${columns} FROM events INDEXED BY events_of_type WHERE type = ${type} AND ${conditions.join(' AND ')}`,
    );
    return `${parts.join(' UNION ALL ')} ${order}`;
  }
  const wanted = types === null ? conditions : [...conditions, `type IN (${typeParameters.join(', ')})`];
  return `SELECT ${columns} FROM events NOT INDEXED WHERE ${wanted.join(' AND ')} ${order}`;
}

/** How the types of a filter are found: 'rare': by index while they are rare. */
function waysOf(
  types: readonly string[] | undefined,
  prefixes: readonly string[] | undefined,
): 'scan' | 'index' | 'rare' {
  if (types === undefined || types.length === 0) return 'scan';
  if (types.length <= MOST_INDEXED_TYPES) return 'index';
  return prefixes === undefined && types.length <= MOST_MERGED_TYPES ? 'rare' : 'scan';
}

/**
 * One page of the log, or of a part of it; uncommitted events are never included. A filter without an index scans at
 * most one window.
 */
export function createReadLog<Row extends EventRow | ScannedRow>(
  db: EventDatabase,
  head: Pick<Head, 'committed'>,
  columns: Columns<Row>,
  part: LogPart | null = null,
): ReadLog<Row> {
  type Statement = ReturnType<typeof prepare>;
  const statements = new Map<string, Statement>();

  const prepare = (shape: LogShape) =>
    db
      .prepare<unknown[], Row>(logStatement(shape, columns.list, part))
      .raw()
      .safeIntegers();

  function statementFor(shape: LogShape): Statement {
    const key = `${shape.forward} ${shape.types} ${shape.prefixes} ${shape.merged}`;
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = prepare(shape);
      statements.set(key, statement);
    }
    return statement;
  }

  return ({ after, direction, limit, characters: most, filter }) => {
    const chunkRows = most === undefined ? CHUNK_ROWS : SMALL_CHUNK_ROWS;
    const isForward = direction === 'forward';
    const prefixes = filter?.streamPrefixes;
    const compared =
      isForward && head.committed - after <= SHORT_RANGE && prefixes === undefined ? manyTypes(filter?.types) : null;
    // Deduplicated: the parts of a merge must not overlap.
    const types = filter?.types && compared === null ? [...new Set(filter.types)] : undefined;
    const ways = waysOf(types, prefixes);
    const shape = { forward: isForward, types: types?.length ?? null, prefixes: prefixes?.length ?? null };
    const wanted = { ...named('type', types), ...named('prefix', prefixes) };
    const rows: Row[] = [];
    let characters = 0;
    let cursor = after;
    let scanned = false;
    let merged = ways !== 'scan';
    while (!scanned && rows.length < limit && characters < (most ?? PAGE_CHARACTERS)) {
      const count = Math.min(chunkRows, limit - rows.length);
      const isWindow = prefixes !== undefined || (types !== undefined && !merged);
      const last = lastOfScan(ways === 'rare' ? cursor : after, isForward, isWindow, head.committed);
      const chunk = statementFor({ ...shape, merged }).all({ ...wanted, after: cursor, last, limit: count });
      for (const row of chunk) {
        if (compared !== null && !compared.has(columns.type(row))) continue;
        rows.push(row);
        characters += columns.characters(row);
      }
      scanned = chunk.length < count;
      const reached = scanned ? last : (chunk.at(-1)?.[0] ?? last);
      if (ways === 'rare') merged = isRare(chunk.length * (part?.of ?? 1), cursor - reached);
      cursor = reached;
    }
    return { rows, next: cursor, end: isForward ? cursor >= head.committed : cursor <= 1n };
  };
}

/** Made once for each list; null for a short one. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
function manyTypes(types: readonly string[] | undefined): ReadonlySet<string> | null {
  if (types === undefined || types.length <= MOST_MERGED_TYPES) return null;
  const set = sets.get(types) ?? new Set(types);
  sets.set(types, set);
  return set;
}

const isRare = (found: number, span: bigint): boolean => BigInt(found) * COMMON < (span < 0n ? -span : span);

const named = (name: string, values: readonly string[] = []) =>
  Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]));

function lastOfScan(after: bigint, forward: boolean, scans: boolean, committed: bigint): bigint {
  if (forward) {
    const window = after + SCAN_WINDOW;
    const last = scans && window < committed ? window : committed;
    return last > after ? last : after;
  }
  const window = after - SCAN_WINDOW;
  return scans && window > 1n ? window : 1n;
}

/**
 * Continues through windows without a match until there is a page or nothing is left, yielding to others in between.
 */
export async function readAll<Row extends EventRow | ScannedRow, Event>(
  {
    readLog,
    head,
    assertOpen,
  }: { readonly readLog: ReadLog<Row>; readonly head: Pick<Head, 'committed'>; readonly assertOpen: () => void },
  toEvent: (row: Row) => Event,
  options: ReadAllOptions,
): Promise<AllRead<Event>> {
  const { direction = 'forward', limit = DEFAULT_PAGE, characters, filter } = options;
  let after =
    options.after === undefined ? (direction === 'forward' ? 0n : head.committed + 1n) : fromPosition(options.after);
  for (;;) {
    const page = readLog({ after, direction, limit, characters, filter });
    if (page.rows.length > 0 || page.end || limit <= 0)
      return { events: page.rows.map(toEvent), next: toPosition(page.next), end: page.end };
    after = page.next;
    await new Promise(setImmediate);
    assertOpen();
  }
}
