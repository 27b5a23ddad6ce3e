/** The SQLite store's guarantees for its file: durable commits, one owner, space, damage, erasure, backups. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/eventStore/eventStore.ts';
import { eventStoreOn, openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { openEventDatabase } from '../../../src/eventStore/sqlite/sqliteFile.ts';
import {
  caughtUp,
  collect,
  eventsIn,
  eventsOf,
  idsOf,
  newEvent,
  newEvents,
  refusal,
  seededRandom,
  wholeLog,
} from '../../contract/eventStoreHarness.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'event-store-file-'));
  file = join(folder, 'events.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path = file) => openSqliteEventStore({ file: path, lockTimeoutMs: 0 });

function openError(path = file): unknown {
  try {
    open(path);
  } catch (error) {
    return error;
  }
  return null;
}

describe('commits', () => {
  it('are flushed to disk on a new file and, where SQLite would default to less, on a reopened one', () => {
    for (let round = 0; round < 3; round++) {
      const db = openEventDatabase(file, 0);
      expect(db.pragma('synchronous', { simple: true })).toBe(2);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(db.pragma('secure_delete', { simple: true })).toBe(1);
      expect(db.pragma('locking_mode', { simple: true })).toBe('exclusive');
      db.exec('UPDATE log SET head = head + 1');
      db.close();
    }
  });

  it('are grouped when they are requested together', async () => {
    const db = openEventDatabase(file, 0);
    const store = eventStoreOn(db, { file });
    await store.append('thing-0', newEvents(1), { expected: 'no_stream' });
    const pages = () => statSync(`${file}-wal`).size;
    const one = async (stream: string) => {
      const before = pages();
      await store.append(stream, newEvents(1), { expected: 'no_stream' });
      return pages() - before;
    };
    const alone = await one('thing-1');
    const before = pages();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => store.append(`group-${index}`, newEvents(1), { expected: 'no_stream' })),
    );
    expect(pages() - before).toBeLessThan(alone * 20);
    await store.close();
  });
});

describe('ES51 one process a file', () => {
  it('a second store is refused with advice that names the file, and opens after the first is closed', async () => {
    const first = open();
    await first.append('thing-1', newEvents(1), { expected: 'no_stream' });
    const error = openError();
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(file);
    expect(String(error)).toMatch(/in use by another process/);
    await first.append('thing-1', newEvents(1), { expected: 0n });
    await first.close();
    const second = open();
    expect(await eventsOf(second, 'thing-1')).toHaveLength(2);
    await second.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('a foreign file, one of a newer version, or one that is no database is refused and not changed', async () => {
    const other = new Database(join(folder, 'other.db'));
    other.exec('CREATE TABLE things (name TEXT)');
    other.close();
    expect(String(openError(join(folder, 'other.db')))).toMatch(/database of something else/);

    await open().close();
    const db = new Database(file);
    db.pragma('user_version = 99');
    db.close();
    expect(String(openError())).toMatch(/newer version/);

    writeFileSync(join(folder, 'text.db'), 'not a database, but long enough to be looked at as one. '.repeat(100));
    expect(openError(join(folder, 'text.db'))).toBeInstanceOf(StoreUnavailable);
    expect(readFileSync(join(folder, 'text.db'), 'utf8')).toMatch(/^not a database/);

    writeFileSync(join(folder, 'plain'), '');
    expect(openError(join(folder, 'plain', 'below', 'events.db'))).toBeInstanceOf(StoreUnavailable);
  });

  it('missing folders are created', async () => {
    const store = open(join(folder, 'a', 'b', 'events.db'));
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    await store.close();
    expect(existsSync(join(folder, 'a', 'b', 'events.db'))).toBe(true);
  });
});

describe('ES52 disk full', () => {
  it('a typed error for all of the group, nothing left behind, earlier events readable, and it works again when there is space', async () => {
    const db = openEventDatabase(file, 0);
    const store = eventStoreOn(db, { file });
    const first = newEvents(3);
    const written = await store.append('thing-1', first, { expected: 'no_stream' });
    const large = () => newEvent('Large', { text: 'x'.repeat(200_000) });
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true }) as number}`);

    const together = await Promise.all([
      refusal(store.append('small-1', newEvents(1), { expected: 'no_stream' })),
      refusal(store.append('thing-1', [large()], { expected: 2n })),
    ]);
    for (const error of together) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toMatch(/disk is full/);
      expect(error.message).toContain(file);
    }
    expect(await store.head()).toBe(written.position);
    expect(idsOf(await wholeLog(store))).toEqual(idsOf(first));
    expect(await store.read('small-1')).toEqual({ status: 'missing' });
    expect(eventsIn(await collect(store, {}, caughtUp))).toHaveLength(3);

    // A page without an event may still find space, and must not say that all is well.
    expect((await refusal(store.check())).message).toMatch(/disk is full/);

    db.pragma('max_page_count = 1000000');
    const event = large();
    expect((await store.append('thing-1', [event], { expected: 2n })).revision).toBe(3n);
    await store.check();
    expect((await store.append('small-1', newEvents(1), { expected: 'no_stream' })).revision).toBe(0n);
    await store.close();
    const again = open();
    expect(idsOf(await eventsOf(again, 'thing-1'))).toEqual([...idsOf(first), event.id]);
    await again.close();
  });
});

describe('ES53 damage', () => {
  it('a WAL truncated at any of 50 places opens, is sound, and holds a prefix of what was written', async () => {
    const first = open();
    await first.append('thing-0', newEvents(30), { expected: 'no_stream' });
    await first.close();
    const store = open();
    for (let round = 0; round < 80; round++) {
      await store.append(`thing-${round % 5}`, [newEvent('Written', { text: 'x'.repeat((round * 137) % 3_000) })], {
        expected: 'any',
      });
    }
    const ids = idsOf(await wholeLog(store));
    const whole = join(folder, 'whole.db');
    copyFileSync(file, whole);
    copyFileSync(`${file}-wal`, `${whole}-wal`);
    await store.close();

    const random = seededRandom(53);
    const size = statSync(`${whole}-wal`).size;
    const lengths = new Set<number>();
    for (let cut = 0; cut < 50; cut++) {
      const torn = join(folder, `torn-${cut}.db`);
      copyFileSync(whole, torn);
      copyFileSync(`${whole}-wal`, `${torn}-wal`);
      truncateSync(`${torn}-wal`, Math.floor(random() * size));
      const db = openEventDatabase(torn, 0);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      const survivor = eventStoreOn(db, { file: torn });
      const kept = idsOf(await wholeLog(survivor));
      expect(kept.length).toBeGreaterThanOrEqual(30);
      expect(kept).toEqual(ids.slice(0, kept.length));
      lengths.add(kept.length);
      const { position } = await survivor.append('thing-new', newEvents(1), { expected: 'no_stream' });
      expect(Number(position)).toBe(kept.length + 1);
      await survivor.close();
    }
    expect(lengths.size).toBeGreaterThan(10);
  });

  it('a damaged file is a typed error, not a wrong answer', async () => {
    const store = open();
    for (let stream = 0; stream < 20; stream++)
      await store.append(`thing-${stream}`, newEvents(50), { expected: 'no_stream' });
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4_096, bytes.length - 4_096);
    writeFileSync(file, bytes);
    const attempt = async () => {
      const damaged = open();
      try {
        return await wholeLog(damaged);
      } finally {
        await damaged.close();
      }
    };
    expect((await refusal(attempt())).message).toMatch(/damaged.*restore a backup/);
  });
});

describe('the check', () => {
  it('reports whether the log can be written, and writes no event', async () => {
    const db = openEventDatabase(file, 0);
    const store = eventStoreOn(db, { file });
    await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    await store.check();
    expect(await wholeLog(store)).toHaveLength(2);
    db.pragma('query_only = ON');
    expect(await refusal(store.check())).toBeInstanceOf(StoreUnavailable);
    db.pragma('query_only = OFF');
    await store.check();
    await store.close();
    expect(await refusal(store.check())).toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('remembers damage that a reader met anywhere', async () => {
    const store = open();
    for (let stream = 0; stream < 20; stream++)
      await store.append(`thing-${stream}`, newEvents(50), { expected: 'no_stream' });
    await store.close();
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 8_192) * 4_096;
    bytes.fill(0xff, middle, middle + 4 * 4_096);
    writeFileSync(file, bytes);
    const damaged = open();
    await damaged.check();
    expect((await refusal(wholeLog(damaged))).message).toMatch(/damaged/);
    expect((await refusal(damaged.check())).message).toMatch(/damaged/);
    await damaged.close();
  });
});

describe('erasure', () => {
  const marker = 'PLANTED-7f3a';
  const holders = () =>
    [file, `${file}-wal`, join(folder, 'copy.db')].filter(
      (path) => existsSync(path) && readFileSync(path).includes(marker),
    );

  it('a hard delete leaves nothing of the content in the file, the WAL or a later backup', async () => {
    const store = open();
    const planted = (size: number) => newEvent('Planted', { text: marker + 'x'.repeat(size), other: marker });
    for (let round = 0; round < 30; round++) {
      await store.append('secret-1', [planted((round * 997) % 9_000)], { expected: 'any' });
      await store.append(`thing-${round}`, newEvents(3), { expected: 'no_stream' });
    }
    await store.append('secret-1', [planted(300_000)], { expected: 'any' });
    expect(holders()).not.toEqual([]);
    await store.delete('secret-1');
    expect(holders()).toEqual([]);
    await store.append('thing-0', newEvents(3), { expected: 'any' });
    await store.backup(join(folder, 'copy.db'));
    expect(holders()).toEqual([]);
    await store.close();
    expect(holders()).toEqual([]);
    const again = open();
    expect(await wholeLog(again)).toHaveLength(93);
    await again.close();
  });

  it('a truncation leaves nothing in the file and the WAL either, once it is answered', async () => {
    const store = open();
    for (let round = 0; round < 30; round++)
      await store.append('account-1', [newEvent('Planted', { text: marker.repeat(1 + round * 40) })], {
        expected: 'any',
      });
    const { revision } = await store.append('account-1', [newEvent('Deleted', {})], { expected: 'any' });
    expect(holders()).not.toEqual([]);
    await store.truncate('account-1', revision);
    expect(holders()).toEqual([]);
    await store.close();
  });

  it('deleting many at once erases all of them', async () => {
    const store = open();
    const streams = Array.from({ length: 25 }, (_, index) => `secret-${index}`);
    await Promise.all(
      streams.map((stream) =>
        store.append(stream, [newEvent('Planted', { text: marker.repeat(50) })], { expected: 'no_stream' }),
      ),
    );
    await Promise.all(streams.map((stream) => store.delete(stream)));
    expect(holders()).toEqual([]);
    await store.close();
  });

  it('the newest position is not reused after its event was erased and the file reopened', async () => {
    const store = open();
    await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    const { position } = await store.append('thing-2', newEvents(1), { expected: 'no_stream' });
    await store.delete('thing-2');
    await store.close();
    const again = open();
    expect(await again.head()).toBe(position);
    expect((await again.append('thing-1', newEvents(1), { expected: 1n })).position > position).toBe(true);
    await again.close();
  });
});

describe('backup', () => {
  it('is a complete copy that opens, taken while events are being written', async () => {
    const store = open();
    await store.append('thing-1', newEvents(500), { expected: 'no_stream' });
    const target = join(folder, 'backup.db');
    const copying = store.backup(target);
    const writing = Promise.all(
      Array.from({ length: 50 }, () => store.append('thing-2', newEvents(5), { expected: 'any' })),
    );
    await Promise.all([copying, writing]);
    const log = await wholeLog(store);
    await store.close();
    const copy = open(target);
    const copied = await wholeLog(copy);
    expect(copied.length).toBeGreaterThanOrEqual(500);
    expect(copied).toEqual(log.slice(0, copied.length));
    await copy.close();
    expect(
      await refusal(openSqliteEventStore({ file: ':memory:' }).backup(join(folder, 'no', 'such', 'folder.db'))),
    ).toBeInstanceOf(Error);
  });
});

describe('a file of version 1, which had the queues of the workers too', () => {
  /** The schema of version 1, and some content. */
  function oldFile(): void {
    const old = new Database(file);
    old.exec(`
      PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x53454f65}; PRAGMA user_version = 1;
      CREATE TABLE events (position INTEGER PRIMARY KEY, stream_key INTEGER NOT NULL, revision INTEGER NOT NULL, id_key INTEGER NOT NULL,
        stream TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL) STRICT;
      CREATE INDEX events_of_stream ON events (stream_key, revision, id_key);
      CREATE TABLE stream_ends (stream TEXT PRIMARY KEY, revision INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('truncated', 'soft', 'hard'))) STRICT, WITHOUT ROWID;
      CREATE TABLE log (one INTEGER PRIMARY KEY CHECK (one = 1), head INTEGER NOT NULL) STRICT;
      INSERT INTO log VALUES (1, 7);
      INSERT INTO stream_ends VALUES ('gone-1', 4, 'hard'), ('soft-1', 6, 'soft');
      CREATE TABLE consumer_groups (name TEXT PRIMARY KEY, fed INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE deliveries (consumer_group TEXT NOT NULL, position INTEGER NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
        lease INTEGER, reason TEXT, parked_at TEXT, PRIMARY KEY (consumer_group, position)) STRICT, WITHOUT ROWID;
      CREATE INDEX deliveries_due ON deliveries (consumer_group, due) WHERE parked_at IS NULL;
      INSERT INTO consumer_groups VALUES ('audits', 7);
      INSERT INTO deliveries VALUES ('audits', 1, 1, 0, 3, NULL, NULL), ('mails', 1, 12, 0, NULL, 'refused by the PLANTED-9c01 server', '2026-01-01T00:00:00.000Z');
    `);
    old.close();
  }

  const hasIndex = (db: Database.Database) =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events_of_type'").get() !== undefined;
  const tables = (db: Database.Database) =>
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

  it('opens with its log unchanged, and without the queues', async () => {
    oldFile();
    const store = open();
    expect(await store.read('gone-1')).toEqual({ status: 'deleted' });
    const { position } = await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    expect(Number(position)).toBe(9);
    // Deleted so that it could continue, as no version does any more.
    expect(await store.read('soft-1')).toEqual({ status: 'missing' });
    const events = newEvents(1);
    const again = await store.append('soft-1', events, { expected: 'no_stream' });
    expect([again.revision, await store.append('soft-1', events, { expected: 'no_stream' })]).toEqual([7n, again]);
    await store.close();
    const db = openEventDatabase(file, 0);
    expect(tables(db)).toEqual(['events', 'log', 'stream_ends']);
    expect(db.pragma('user_version', { simple: true })).toBe(3);
    expect(hasIndex(db)).toBe(true);
    db.close();
    expect(readFileSync(file).includes('PLANTED-9c01')).toBe(false);
    const reopened = open();
    expect(await eventsOf(reopened, 'thing-1')).toHaveLength(2);
    await reopened.close();
  });

  it('is unchanged when the upgrade fails in the middle', () => {
    oldFile();
    const old = new Database(file);
    old.exec('DROP TABLE consumer_groups');
    old.close();
    expect(openError()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const after = new Database(file);
    expect(after.pragma('user_version', { simple: true })).toBe(1);
    expect(tables(after)).toContain('deliveries');
    after.close();
  });
});

describe('a file of version 2, which had no index by type', () => {
  async function oldFile(): Promise<readonly string[]> {
    const store = open();
    for (let round = 0; round < 10; round++)
      await store.append('thing-1', [newEvent('Seldom', { round }), ...newEvents(3)], { expected: 'any' });
    const ids = idsOf((await store.readAll({ filter: { types: ['Seldom'] } })).events);
    await store.close();
    const old = new Database(file);
    old.exec('DROP INDEX events_of_type; PRAGMA user_version = 2');
    old.close();
    return ids;
  }

  it('gets one when it is opened, and answers the same', async () => {
    const ids = await oldFile();
    const store = open();
    expect(idsOf((await store.readAll({ filter: { types: ['Seldom'] } })).events)).toEqual(ids);
    await store.close();
    const db = new Database(file);
    expect(db.pragma('user_version', { simple: true })).toBe(3);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('is unchanged when the upgrade fails, and is upgraded the next time', async () => {
    const ids = await oldFile();
    const old = new Database(file);
    // Blocks the index: the upgrade cannot complete.
    old.exec('CREATE TABLE events_of_type (one TEXT)');
    old.close();
    expect(openError()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const after = new Database(file);
    expect(after.pragma('user_version', { simple: true })).toBe(2);
    after.exec('DROP TABLE events_of_type');
    after.close();
    const store = open();
    expect(idsOf((await store.readAll({ filter: { types: ['Seldom'] } })).events)).toEqual(ids);
    await store.close();
  });
});
