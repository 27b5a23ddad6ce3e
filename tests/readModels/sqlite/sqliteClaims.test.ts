/**
 * Claims and marks in the file of the embedded read models: the contract, crashes, and that its queries are index
 * searches.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { CLAIM_SQL, noteSql } from '../../../src/readModels/sqlite/sqliteClaims.ts';
import { openFile } from '../../../src/readModels/sqlite/sqliteFile.ts';
import { at, describeClaims } from '../../contract/claims.ts';
import { describeLiveFeed } from '../../contract/liveFeed.ts';
import { describeMarks } from '../../contract/marks.ts';
import { describePresence } from '../../contract/presence.ts';
import { HALLS } from '../../contract/readModelsHarness.ts';

const opened: SqliteReadModels[] = [];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'));
  file = join(folder, 'readModels.db');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((readModels) => readModels.close()));
  rmSync(folder, { recursive: true });
});

function open(path = file): SqliteReadModels {
  const readModels = openSqliteReadModels({ file: path, lockTimeoutMs: 20 });
  opened.push(readModels);
  return readModels;
}

describeClaims('SQLite', async () => {
  const { claims } = open(':memory:');
  return { claims, another: async () => claims };
});
describeMarks('SQLite', async () => open(':memory:').marks);
describePresence('SQLite', async () => open(':memory:').presence);
describeLiveFeed('SQLite', async () => open(':memory:').presence);

const item = (itemId: string) => ({ kind: 'audits', itemId, opening: at(1), lane: 'ada' });
const take = ({ claims }: SqliteReadModels, itemId: string) =>
  claims.take({ item: item(itemId), seen: null, holder: 'w1', laneLimit: 9 });

describe('the file', () => {
  it('has its claims and marks when it is reopened: their holders count as vanished', async () => {
    const before = open();
    const [a, b] = [await take(before, 'a'), await take(before, 'b')];
    if (typeof a === 'string' || typeof b === 'string') throw new Error('Not taken.');
    await before.claims.letGo(a, { attempts: 2 });
    await before.claims.note(b, { steps: 4 });
    await before.marks.write('follower/mails', at(3));
    await before.close();
    const after = open();
    expect(await after.claims.read('audits', ['a', 'b'])).toEqual([
      { ...a, attempts: 2, holder: null },
      { ...b, steps: 4, holder: null, vanished: true },
    ]);
    expect(await after.claims.holders()).toEqual([]);
    expect(await after.claims.running('audits')).toEqual(new Map());
    expect(await after.claims.letGo(b, {})).toBe(false);
    expect(await after.marks.read('follower/mails')).toBe(at(3));
  });

  it('has them after a kill -9, too', async () => {
    const program = `
      import { openSqliteReadModels } from ${JSON.stringify(new URL('../../../src/readModels/sqlite/sqlite.ts', import.meta.url).href)};
      const { claims } = openSqliteReadModels({ file: process.argv[1] });
      const take = (itemId) => claims.take({ item: { kind: 'audits', itemId, opening: '1', lane: 'ada' }, seen: null, holder: 'w1', laneLimit: 9 });
      await claims.letGo(await take('a'), { attempts: 1 });
      await claims.note(await take('b'), { steps: 4 });
      console.log('held');
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await open().claims.list({ kind: 'audits', limit: 9 })).toMatchObject([
      { itemId: 'a', attempts: 1, holder: null, vanished: false },
      { itemId: 'b', steps: 4, holder: null, vanished: true, number: 1 },
    ]);
  });

  it('keeps them while models are rebuilt, and drops them with another layout of the file', async () => {
    const readModels = open();
    await take(readModels, 'a');
    await readModels.marks.write('sweep', 'kept');
    for (const build of ['v1', 'v2']) {
      await readModels.prepare(HALLS, build);
      await readModels.serve(HALLS.name, build);
    }
    await readModels.drop(HALLS.name, 'v2');
    expect(await readModels.claims.holders()).toEqual(['w1']);
    expect(await readModels.marks.read('sweep')).toBe('kept');
    await readModels.close();
    const db = new Database(file);
    db.pragma('user_version = 77');
    db.close();
    const after = open();
    expect(await after.claims.list({ kind: 'audits', limit: 9 })).toEqual([]);
    expect(await after.marks.read('sweep')).toBeNull();
  });

  it('from before claims existed gets their tables and keeps its models', async () => {
    const before = open();
    await before.prepare(HALLS, 'v1');
    await before.serve(HALLS.name, 'v1');
    await before.close();
    const db = new Database(file);
    db.exec('DROP TABLE claims; DROP TABLE marks');
    db.close();
    const after = open();
    expect(await after.serving(HALLS.name)).toBe('v1');
    expect(await take(after, 'a')).toMatchObject({ number: 1 });
  });

  it('refuses calls once it is closed', async () => {
    const readModels = open();
    await readModels.close();
    await expect(readModels.claims.holders()).rejects.toMatchObject({ code: 'READ_MODELS_CLOSED' });
    await expect(take(readModels, 'a')).rejects.toMatchObject({ code: 'READ_MODELS_CLOSED' });
    await expect(readModels.marks.read('a')).rejects.toMatchObject({ code: 'READ_MODELS_CLOSED' });
  });
});

describe('statements', () => {
  it('are index searches without a sort', () => {
    const db = openFile(':memory:', 0);
    const { begin: _, ...statements } = CLAIM_SQL;
    const all = [...Object.values(statements), noteSql(['attempts', 'settledAt'], true), noteSql([], false)];
    expect(all.length).toBeGreaterThan(8);
    for (const sql of all) {
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1)) as { detail: string }[];
      const steps = plan
        .map(({ detail }) => detail)
        .filter((detail) => !/json_each|LIST SUBQUERY|CREATE BLOOM/.test(detail));
      expect(steps.length).toBeGreaterThan(0);
      for (const detail of steps)
        expect(`${sql}: ${detail}`).toMatch(
          /: SEARCH claims USING (PRIMARY KEY|(COVERING )?INDEX claims(Held|Settled))/,
        );
    }
    db.close();
  });
});
