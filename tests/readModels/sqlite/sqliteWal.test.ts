/** The write-ahead file of the read models: bounded, whatever keeps it from being emptied. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { createWalGuard, WAL_BYTES } from '../../../src/readModels/sqlite/sqliteWal.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wal-'));
  file = join(dir, 'readModels.db');
});
afterEach(() => rmSync(dir, { recursive: true }));

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const isBounded = (): boolean => sizeOf(`${file}-wal`) <= Math.max(WAL_BYTES, sizeOf(file));
const position = (number: number): string => String(number).padStart(20, '0');

describe('the write-ahead file', () => {
  it('stays within its limit while large batches are written, and while a model is dropped', async () => {
    const models = openSqliteReadModels({ file });
    const definition = { name: 'things', version: 1, indexes: [['kind'], ['kind', 'name']] };
    await models.prepare(definition, 'v1');
    await models.serve('things', 'v1');
    for (let batch = 0; batch < 6; batch++) {
      const writes = Array.from({ length: 400 }, (_, nth) => ({
        id: `${batch % 2}-${nth}`,
        position: position(batch * 1_000 + nth + 1),
        data: { kind: `k${nth % 7}`, name: `${nth}`, text: 'x'.repeat(20_000) },
      }));
      await models.commit([{ model: 'things', build: 'v1', checkpoint: position(batch * 1_000 + 999), writes }]);
      expect([batch, isBounded()]).toEqual([batch, true]);
    }
    expect(await models.count('things')).toBe(800);
    await models.prepare(definition, 'v2');
    await models.serve('things', 'v2');
    expect(isBounded()).toBe(true);
    await models.close();
  });

  it('is written to in parts, and nothing of a later commit to a build is there without all of an earlier one', async () => {
    const models = openSqliteReadModels({ file });
    await models.prepare({ name: 'things', version: 1, indexes: [] }, 'v1');
    await models.serve('things', 'v1');
    const writes = (kind: string, number: number) =>
      Array.from({ length: number }, (_, nth) => ({
        id: `${kind}-${nth}`,
        position: position(nth + 1),
        data: { text: 'x'.repeat(20_000) },
      }));
    const of = { model: 'things', build: 'v1' };
    // Refused in the last part.
    const shared = { position: position(999), builds: [of, { model: 'others', build: 'v1' }] };
    for (const [first, then] of [
      [1, 400],
      [400, 400],
    ] as const) {
      const commits = [
        { ...of, writes: writes(`sum of ${first}`, first) },
        { ...of, writes: writes(`source of ${first}`, then) },
      ];
      await expect(models.commit(commits, shared)).rejects.toMatchObject({ code: 'UNKNOWN_BUILD' });
      const ids = async (some: readonly { readonly id: string }[]) =>
        (
          await models.getMany(
            'things',
            some.map(({ id }) => id),
          )
        ).length;
      expect(await ids(commits[1]?.writes ?? [])).toBeGreaterThan(0);
      expect(await ids(commits[0]?.writes ?? [])).toBe(first);
    }
    await models.close();
  });

  it('holds writes back while a reader keeps it from being emptied, and goes on after it', () => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
    let now = 0;
    const guard = createWalGuard(db, file, () => now);
    const reader = new Database(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM t').get();
    const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
    const write = (): void => {
      now += 10;
      guard.makeRoom();
      insert.run('x'.repeat(100_000));
    };
    const writeMany = (): void => {
      for (let nth = 0; nth < 300; nth++) write();
    };
    db.pragma('busy_timeout = 0');
    expect(writeMany).toThrow('is at its limit and cannot be emptied');
    expect(isBounded()).toBe(true);
    expect(write).toThrow('Nothing is lost');
    reader.exec('COMMIT');
    now += 2_000;
    writeMany();
    expect(isBounded()).toBe(true);
    reader.close();
    db.close();
  });

  it('holds writes back while the database cannot grow, and goes on once there is space', () => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    let now = 0;
    const full = { isFull: true };
    // A checkpoint that finds no space for the database.
    const pragma = ((text: string) => {
      if (full.isFull && text.startsWith('wal_checkpoint'))
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return db.pragma(text);
    }) as typeof db.pragma;
    db.pragma('wal_autocheckpoint = 0');
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
    const guard = createWalGuard({ pragma }, file, () => now);
    const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
    const writeMany = (): void => {
      for (let nth = 0; nth < 300; nth++) {
        now += 10;
        guard.makeRoom();
        insert.run('x'.repeat(100_000));
      }
    };
    expect(writeMany).toThrow('the disk is full');
    expect(isBounded()).toBe(true);
    full.isFull = false;
    now += 2_000;
    writeMany();
    expect(isBounded()).toBe(true);
    db.close();
  });
});
