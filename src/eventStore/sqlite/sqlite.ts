/** The embedded event store: one SQLite file, owned by one process. */
import { unlinked } from '../chain/eventHash.ts';
import { type EventStore, StoreClosed } from '../eventStore.ts';
import { checkStream, serialiseEvents } from '../newEvents.ts';
import { createNotifier } from '../notifier.ts';
import { toPosition } from '../positions.ts';
import { createAppend, type Head } from './sqliteAppend.ts';
import { type EventDatabase, isDamage, isFull, openEventDatabase, unavailable } from './sqliteFile.ts';
import { createReadLog, createReadStream, type ReadLog, readAll, SCANNED_EVENTS, WHOLE_EVENTS } from './sqliteRead.ts';
import { createRecentEvents } from './sqliteRecent.ts';
import { createRemovals } from './sqliteRemove.ts';
import { toEvent, toScanned, toText } from './sqliteRows.ts';
import { createStreams } from './sqliteStreams.ts';
import { subscribe } from './sqliteSubscribe.ts';
import { createWriter, type Submit } from './sqliteWriter.ts';

/** How long an event that found no space on the disk counts, ms. */
const FULL_FOR_MS = 60_000;

export type SqliteEventStoreOptions = {
  /** Path of the database, or `:memory:` for one that ends with the process. */
  readonly file: string;
  /** How long to wait for a file locked by another process. Default 1,000 ms. */
  readonly lockTimeoutMs?: number;
};

export type SqliteEventStore = EventStore & {
  /** Copies the log's current state to another file while this one is in use. @throws StoreClosed, StoreUnavailable */
  backup(target: string): Promise<void>;
  /**
   * Whether the log can be written and read: writes a page but no event, reads both ends, and remembers damage that any
   * reader encountered, and for a minute that an event found no space.
   * @throws StoreClosed, StoreUnavailable
   */
  check(): Promise<void>;
};

/** @throws StoreUnavailable when the file is held by another process, damaged, or not an event log. */
export function openSqliteEventStore(options: SqliteEventStoreOptions): SqliteEventStore {
  const db = openEventDatabase(options.file, options.lockTimeoutMs ?? 1_000);
  try {
    return eventStoreOn(db, options);
  } catch (error) {
    db.close();
    throw unavailable(error, options.file);
  }
}

/** The store on an already open database (see `openEventDatabase`). */
export function eventStoreOn(
  db: EventDatabase,
  options: Omit<SqliteEventStoreOptions, 'lockTimeoutMs'>,
): SqliteEventStore {
  let closing: Promise<void> | null = null;
  /** A running backup, which the connection must outlive. */
  let copying: Promise<unknown> = Promise.resolve();
  const assertOpen = () => {
    if (closing !== null) throw new StoreClosed();
  };
  const touch = db.prepare('UPDATE log SET head = head');
  const parts = assemble(db, options, assertOpen, () => closing !== null);
  const { submit, guarded, head, log, scanned } = parts;

  return {
    async append(stream, events, { expected, closes }) {
      checkStream(stream);
      const serialised = serialiseEvents(closes === undefined ? events : events.map(unlinked));
      const how = { expected, closing: closes === undefined ? null : events.map(closes) };
      return submit(() => parts.append(stream, serialised, how));
    },
    chains: true,
    async read(stream, how) {
      assertOpen();
      checkStream(stream);
      return guarded(() => parts.readStream(stream, how));
    },
    async readAll(how = {}) {
      assertOpen();
      return readAll(log, toEvent, how);
    },
    async scan(how) {
      assertOpen();
      return readAll(scanned, toScanned, how);
    },
    async readTexts(how) {
      assertOpen();
      return readAll(log, toText, how);
    },
    async head() {
      assertOpen();
      return toPosition(head.committed);
    },
    subscribe(how = {}) {
      assertOpen();
      return subscribe(parts, how);
    },
    async truncate(stream, before) {
      checkStream(stream);
      await submit(() => parts.removals.truncate(stream, before), { erase: true });
    },
    async delete(stream, how = {}) {
      checkStream(stream);
      await submit(() => parts.removals.remove(stream, how), { erase: true });
    },
    async backup(target) {
      assertOpen();
      const copy = db.backup(target).catch((error: unknown) => Promise.reject(unavailable(error, target)));
      copying = copy.catch(() => undefined);
      await copy;
    },
    async check() {
      assertOpen();
      if (parts.damage.met !== null) throw parts.damage.met;
      // The page written below may find space that an event does not. Not for longer: only what is asked to write can
      // find out that there is space again.
      if (parts.full.met !== null && performance.now() - parts.full.at < FULL_FOR_MS) throw parts.full.met;
      await submit(() => void touch.run());
      await readAll(log, toEvent, { limit: 1 });
      await readAll(log, toEvent, { limit: 1, direction: 'backward' });
    },
    close() {
      closing ??= copying.then(() => {
        parts.flush();
        db.close();
        parts.changed.notify();
      });
      return closing;
    },
  };
}

function assemble(
  db: EventDatabase,
  options: Omit<SqliteEventStoreOptions, 'lockTimeoutMs'>,
  assertOpen: () => void,
  isClosed: () => boolean,
) {
  /** A damaged page stays damaged, whether or not the next reader encounters it. */
  const damage: { met: unknown } = { met: null };
  /** The last write for which the disk had no space, until one succeeds. */
  const full: { met: unknown; at: number } = { met: null, at: 0 };
  const explain = (error: unknown) => {
    const explained = unavailable(error, options.file);
    if (isDamage(error)) damage.met ??= explained;
    if (isFull(error)) Object.assign(full, { met: explained, at: performance.now() });
    return explained;
  };
  /** The driver's errors are never exposed. */
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explain(error);
    }
  };
  const end = lastPosition(db);
  const head: Head = { assigned: end, committed: end };
  const changed = createNotifier();
  const streams = createStreams(db);
  const recent = createRecentEvents();
  const writer = createWriter(db, {
    explain,
    committed() {
      if (head.committed === head.assigned) return;
      head.committed = head.assigned;
      full.met = null;
      changed.notify();
    },
    rolledBack() {
      head.assigned = head.committed;
      streams.forgetAll();
      recent.forgetAll();
    },
  });
  const submit: Submit = (work, how) => {
    assertOpen();
    return writer.submit(work, how);
  };
  const explained =
    <Row>(read: ReadLog<Row>): ReadLog<Row> =>
    (query) =>
      guarded(() => read(query));
  const readLog = explained(createReadLog(db, head, WHOLE_EVENTS));
  return {
    head,
    changed,
    isClosed,
    damage,
    full,
    guarded,
    submit,
    flush: writer.flush,
    append: createAppend(db, streams, head, recent),
    recent,
    readStream: createReadStream(db, streams),
    readLog,
    log: { readLog, head, assertOpen },
    scanned: { readLog: explained(createReadLog(db, head, SCANNED_EVENTS)), head, assertOpen },
    removals: createRemovals({ db, streams, head, recent }),
  };
}

/** The newest position ever assigned, even if its event is gone. */
function lastPosition(db: EventDatabase): bigint {
  return (
    db
      .prepare<[], bigint>('SELECT max(head, coalesce((SELECT max(position) FROM events), 0)) FROM log')
      .pluck()
      .safeIntegers()
      .get() ?? 0n
  );
}
