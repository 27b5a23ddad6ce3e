/** Reading one stream, and reading the log in order. */
import type { AllRead, EventFilter, ReadAllOptions, ReadOptions, StreamRead } from '../eventStore.ts';
import { fromPosition, toPosition } from '../positions.ts';
import { currentRevision, type Head } from './sqliteAppend.ts';
import type { EventDatabase } from './sqliteFile.ts';
import { EVENT_COLUMNS, type EventRow, toEvent } from './sqliteRows.ts';
import type { Streams } from './sqliteStreams.ts';

type LogQuery = { readonly after: bigint; readonly direction: 'forward' | 'backward'; readonly limit: number; readonly filter: EventFilter | undefined };
/** `next`: where to go on. `end`: nothing was left. */
type LogPage = { readonly rows: readonly EventRow[]; readonly next: bigint; readonly end: boolean };
export type ReadLog = (query: LogQuery) => LogPage;

/** Most positions that one call looks through for matching events, so that a rare match does not hold the thread. */
const SCAN_WINDOW = 5_000n;
/** Rows are fetched in chunks until a page has this much text: events may be large. */
const CHUNK_ROWS = 256;
const PAGE_CHARACTERS = 8 * 1024 * 1024;
const DEFAULT_PAGE = 1_000;

export function createReadStream(db: EventDatabase, streams: Streams): (stream: string, options?: ReadOptions) => StreamRead {
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
    const rows = direction === 'forward' ? forward.all(state.key, stream, from ?? 0n, limit) : backward.all(state.key, stream, from ?? revision, limit);
    return { status: 'found', events: rows.map(toEvent), revision };
  };
}

/** One page of the log, at most one scan window of a filtered one; what is not committed is never in it. */
export function createReadLog(db: EventDatabase, head: Head): ReadLog {
  type Statement = ReturnType<typeof prepare>;
  const statements = new Map<string, Statement>();

  function prepare(forward: boolean, types: number | null, prefixes: number | null) {
    const conditions = [forward ? 'position > ? AND position <= ?' : 'position < ? AND position >= ?'];
    if (types !== null) conditions.push(`type IN (${Array(types).fill('?').join(', ')})`);
    if (prefixes !== null) conditions.push(prefixes === 0 ? 'FALSE' : `(${Array(prefixes).fill('substr(stream, 1, length(?)) = ?').join(' OR ')})`);
    return db
      .prepare<unknown[], EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE ${conditions.join(' AND ')} ORDER BY position ${forward ? 'ASC' : 'DESC'} LIMIT ?`,
      )
      .raw()
      .safeIntegers();
  }

  function statementFor(forward: boolean, filter: EventFilter | undefined): Statement {
    const types = filter?.types?.length ?? null;
    const prefixes = filter?.streamPrefixes?.length ?? null;
    const shape = `${forward} ${types} ${prefixes}`;
    let statement = statements.get(shape);
    if (statement === undefined) {
      statement = prepare(forward, types, prefixes);
      statements.set(shape, statement);
    }
    return statement;
  }

  return ({ after, direction, limit, filter }) => {
    const isForward = direction === 'forward';
    const filtered = filter?.types !== undefined || filter?.streamPrefixes !== undefined;
    const statement = statementFor(isForward, filter);
    const last = lastOfScan(after, isForward, filtered, head.committed);
    const wanted = [...(filter?.types ?? []), ...(filter?.streamPrefixes ?? []).flatMap((prefix) => [prefix, prefix])];
    const rows: EventRow[] = [];
    let characters = 0;
    let cursor = after;
    let scanned = false;
    while (!scanned && rows.length < limit && characters < PAGE_CHARACTERS) {
      const count = Math.min(CHUNK_ROWS, limit - rows.length);
      const chunk = statement.all(cursor, last, ...wanted, count);
      for (const row of chunk) {
        rows.push(row);
        characters += row[6].length + row[5].length;
      }
      scanned = chunk.length < count;
      cursor = scanned ? last : (chunk.at(-1)?.[0] ?? last);
    }
    return { rows, next: cursor, end: isForward ? cursor >= head.committed : cursor <= 1n };
  };
}

function lastOfScan(after: bigint, forward: boolean, filtered: boolean, committed: bigint): bigint {
  if (forward) {
    const window = after + SCAN_WINDOW;
    const last = filtered && window < committed ? window : committed;
    return last > after ? last : after;
  }
  const window = after - SCAN_WINDOW;
  return filtered && window > 1n ? window : 1n;
}

/** Reads on through windows without a match until there is a page or nothing is left, letting others run in between. */
export async function readAll(readLog: ReadLog, head: Head, assertOpen: () => void, options: ReadAllOptions): Promise<AllRead> {
  const { direction = 'forward', limit = DEFAULT_PAGE, filter } = options;
  let after = options.after === undefined ? (direction === 'forward' ? 0n : head.committed + 1n) : fromPosition(options.after);
  for (;;) {
    const page = readLog({ after, direction, limit, filter });
    if (page.rows.length > 0 || page.end || limit <= 0) return { events: page.rows.map(toEvent), next: toPosition(page.next), end: page.end };
    after = page.next;
    await new Promise(setImmediate);
    assertOpen();
  }
}
