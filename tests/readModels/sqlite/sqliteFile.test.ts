/** The file of the embedded read models: its owner, and that its queries are index searches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReadable } from '../../../src/readModels/readable.ts';
import type { Query } from '../../../src/readModels/readModels.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { createBuildRegistry } from '../../../src/readModels/sqlite/sqliteBuilds.ts';
import { openFile } from '../../../src/readModels/sqlite/sqliteFile.ts';
import { changedSince, countDocuments, findPage } from '../../../src/readModels/sqlite/sqliteQuery.ts';
import { at, put, ROOMS, served, write } from '../../contract/readModelsHarness.ts';
import { createRandom } from '../../torture/random.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  file = join(folder, 'readModels.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (path = file) => openSqliteReadModels({ file: path, lockTimeoutMs: 20 });

function refusal(path = file): { code: string; message: string } {
  try {
    open(path);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('It was opened.');
}

describe('the file', () => {
  it('belongs to one process: another is refused with advice, and opens it after that was killed', async () => {
    const holder = spawn(
      process.execPath,
      [
        '-e',
        "const db = require('better-sqlite3')(process.argv[1]); db.pragma('locking_mode = EXCLUSIVE'); db.pragma('journal_mode = WAL'); db.exec('BEGIN IMMEDIATE; COMMIT'); console.log('held'); setInterval(() => {}, 1000)",
        file,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(holder.stdout, 'data');
    expect(refusal()).toMatchObject({ code: 'READ_MODELS_IN_USE', message: expect.stringContaining(file) });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await open().close();
  });

  it('refuses a second opening in the same process, without disturbing the first', async () => {
    const first = open();
    await served(first);
    expect(refusal().code).toBe('READ_MODELS_IN_USE');
    expect(await write(first, [put('r1', 1)])).toBe(0);
    await first.close();
  });

  it('refuses a foreign file or a missing folder, and says what to do', () => {
    const other = join(folder, 'other.db');
    new Database(other).exec('CREATE TABLE things (name TEXT); INSERT INTO things VALUES (1)').close();
    expect(refusal(other)).toMatchObject({
      code: 'READ_MODELS_UNREADABLE',
      message: expect.stringMatching(/something else/),
    });
    expect(new Database(other).prepare('SELECT count(*) FROM things').pluck().get()).toBe(1);
    expect(refusal(join(folder, 'no', 'such', 'folder.db'))).toMatchObject({
      code: 'READ_MODELS_UNREADABLE',
      message: expect.stringMatching(/folder exists/),
    });
  });

  describe('damaged', () => {
    const PAGE = 4_096;
    const random = createRandom(20_260_303);
    const noise = (length: number) => Buffer.from(Array.from({ length }, () => random.between(0, 255)));
    const overwrite = (from: number, bytes: Buffer) => {
      const content = readFileSync(file);
      bytes.copy(content, from);
      writeFileSync(file, content);
    };
    const DAMAGES: Readonly<Record<string, () => void>> = {
      'no database at all': () => writeFileSync(file, 'no database at all '.repeat(100)),
      'cut off in its first page': () => truncateSync(file, 1_000),
      'cut off after its first page': () => truncateSync(file, PAGE),
      'with zeros where it begins': () => overwrite(0, Buffer.alloc(100)),
      'with noise in its first page': () => overwrite(100, noise(PAGE - 100)),
      'with noise in its first pages': () => overwrite(PAGE, noise(5 * PAGE)),
      'with a shared checkpoint that is none': () => damageShared('{"a":'),
      'with a shared checkpoint of no builds': () => damageShared('{"a":1}'),
    };

    function damageShared(builds: string): void {
      const db = new Database(file);
      db.prepare('UPDATE sharedCheckpoint SET builds = ?').run(builds);
      db.close();
    }

    async function fill(): Promise<void> {
      const before = open();
      await served(before);
      await before.shareCheckpoint([{ model: 'rooms', build: 'v1' }]);
      for (let n = 1; n <= 50; n += 1) await write(before, [put(`r${n}`, n)]);
      await before.marks.write('follower/mails', at(3));
      await before.close();
    }

    for (const [how, damage] of Object.entries(DAMAGES)) {
      it(`${how}, it is moved aside and begun again, and says so`, async () => {
        await fill();
        damage();
        const content = readFileSync(file);
        const warnings: object[] = [];
        const after = openSqliteReadModels({ file, log: { warn: (details) => warnings.push(details) } });
        expect(warnings).toMatchObject([{ kept: `${file}.damaged` }]);
        expect(readFileSync(`${file}.damaged`)).toHaveLength(content.length);
        expect(await after.serving('rooms')).toBeNull();
        expect(await after.marks.read('follower/mails')).toBeNull();
        await served(after);
        await write(after, [put('r1', 1)]);
        await after.close();
        const again = open();
        expect(await again.count('rooms')).toBe(1);
        await again.close();
      });
    }

    it('is recreated at the next start after the damage, if no check found it', async () => {
      await fill();
      const db = new Database(file);
      const root = db
        .prepare("SELECT rootpage FROM sqlite_master WHERE name LIKE 'documents_%'")
        .pluck()
        .get() as number;
      db.close();
      overwrite((root - 1) * PAGE, noise(PAGE));
      const before = open();
      await expect(write(before, [put('r1', 60)])).rejects.toMatchObject({
        code: expect.stringMatching(/^SQLITE_CORRUPT/),
      });
      await before.close();
      const after = open();
      expect(await after.serving('rooms')).toBeNull();
      await served(after);
      await after.close();
      const again = open();
      expect(await again.serving('rooms')).toBe('v1');
      await again.close();
    });

    it('does not include a file that was deleted without its log of writes', async () => {
      await fill();
      const before = open();
      await write(before, [put('r1', 60)]);
      copyFileSync(`${file}-wal`, join(folder, 'wal'));
      await before.close();
      rmSync(file);
      copyFileSync(join(folder, 'wal'), `${file}-wal`);
      const after = open();
      expect(await after.serving('rooms')).toBeNull();
      await served(after);
      await after.close();
    });
  });

  it('of another layout is emptied, as all of it can be projected again', async () => {
    const before = open();
    await served(before);
    await write(before, [put('r1', 1)]);
    await before.close();
    const db = new Database(file);
    db.pragma('user_version = 77');
    db.close();
    const after = open();
    expect(await after.serving('rooms')).toBeNull();
    await served(after);
    expect(await after.count('rooms')).toBe(0);
    await after.close();
  });
});

describe('in memory', () => {
  it('begins with a copy of the contents of a file, and leaves both as they are', async () => {
    const first = open();
    await served(first);
    await write(first, [put('r1', 1)]);
    await first.close();
    const db = new Database(file);
    db.pragma('journal_mode = DELETE');
    const contents = db.serialize();
    db.close();
    const [one, other] = [0, 1].map(() => openSqliteReadModels({ file: ':memory:', contents })) as [
      SqliteReadModels,
      SqliteReadModels,
    ];
    await write(one, [put('r2', 2)]);
    expect((await one.find(ROOMS.name, { limit: 9 })).documents.map(({ id }) => id)).toEqual(['r1', 'r2']);
    expect((await other.find(ROOMS.name, { limit: 9 })).documents.map(({ id }) => id)).toEqual(['r1']);
    await Promise.all([one.close(), other.close()]);
    const again = open();
    expect(await again.count(ROOMS.name)).toBe(1);
    await again.close();
  });
});

describe('queries', () => {
  const QUERIES: readonly Query[] = [
    {},
    { where: { ownerId: 'ada' }, sort: [['price', 'asc']] },
    { where: { ownerId: 'ada' }, sort: [['price', 'desc']] },
    { where: { ownerId: 'ada', open: true }, sort: [['price', 'desc']] },
    { where: { ownerId: 'ada', price: { gt: 3, lte: 9 } }, sort: [['price', 'asc']] },
    { where: { ownerId: 'ada', price: null } },
    { where: { 'place.city': 'Oslo' } },
    { sort: [['price', 'desc']] },
    { where: { price: { gte: 2 } }, sort: [['price', 'asc']] },
  ];

  it('are index searches without a sort, on each page', () => {
    const db = openFile(':memory:', 0);
    const builds = createBuildRegistry(db, createReadable([]));
    builds.prepare(ROOMS, 'v1');
    const build = builds.named('rooms', 'v1');
    for (let n = 1; n <= 60; n++)
      build.upsert.run(
        `r${n}`,
        at(n),
        JSON.stringify(put(`r${n}`, n, { price: n % 4 === 0 ? null : n % 7, open: n % 2 === 0 }).data),
        0,
      );
    for (const query of QUERIES) {
      let cursor: string | null = null;
      do {
        cursor = findPage(db, build, { ...query, limit: 5, ...(cursor === null ? {} : { cursor }) }).cursor;
      } while (cursor !== null);
      countDocuments(db, build, query.where);
    }
    changedSince(db, build, at(50), undefined);
    changedSince(db, build, at(50), { ownerId: 'ada' });
    const statements = [...build.queries.keys()];
    expect(statements.length).toBeGreaterThan(30);
    for (const sql of statements) {
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1)) as { detail: string }[];
      const steps = plan.map(({ detail }) => detail).join('; ');
      expect(`${sql}: ${steps}`).not.toMatch(/TEMP B-TREE/);
      // A whole index is read only where the whole model was requested.
      if (!/WHERE deleted = [01]( ORDER|$)/.test(sql)) expect(`${sql}: ${steps}`).not.toMatch(/: SCAN/);
    }
    db.close();
  });
});
