/**
 * Snapshots in the file of the embedded read models: the contract, a rebuild, a damaged row, and that removed ones are
 * gone from the file.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../../src/readModels/packedState.ts';
import { snapshotPosition } from '../../../src/readModels/snapshots.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { openFile } from '../../../src/readModels/sqlite/sqliteFile.ts';
import { SNAPSHOT_SQL } from '../../../src/readModels/sqlite/sqliteSnapshots.ts';
import { HALLS } from '../../contract/readModelsHarness.ts';
import { describeSnapshots } from '../../contract/snapshots.ts';

const opened: SqliteReadModels[] = [];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
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

describeSnapshots('SQLite', async () => {
  const { snapshots } = open(':memory:');
  return { snapshots, another: async () => snapshots };
});

const ADA = { name: 'bill', key: 'billing-ada', version: 1, position: snapshotPosition(4n), hash: 'of-an-event' };

describe('the file', () => {
  it('has snapshots when it is reopened, and while models are rebuilt', async () => {
    const before = open();
    await before.snapshots.write({ ...ADA, state: '{}' });
    await before.prepare(HALLS, 'v1');
    await before.serve(HALLS.name, 'v1');
    await before.drop(HALLS.name, 'v1');
    await before.close();
    expect(await open().snapshots.read(ADA)).toEqual({ ...ADA, state: '{}' });
  });

  it('from before snapshots existed gets their table and keeps its models', async () => {
    const before = open();
    await before.prepare(HALLS, 'v1');
    await before.serve(HALLS.name, 'v1');
    await before.close();
    const db = new Database(file);
    db.exec('DROP TABLE snapshots');
    db.close();
    const after = open();
    expect(await after.serving(HALLS.name)).toBe('v1');
    expect(await after.snapshots.write({ ...ADA, state: '{}' })).toBe('written');
  });

  it('returns none where a state was truncated', async () => {
    const before = open();
    await before.snapshots.write({ ...ADA, state: JSON.stringify({ text: 'x'.repeat(1_000) }) });
    await before.close();
    const db = new Database(file);
    db.exec('UPDATE snapshots SET state = substr(state, 1, length(state) - 5)');
    db.close();
    expect(await open().snapshots.read(ADA)).toBeNull();
  });

  it('has nothing left of a removed one', async () => {
    const readModels = open();
    const state = await packed(
      JSON.stringify({ jobs: Array.from({ length: 500 }, (_, nth) => `${nth}-${Math.sin(nth)}`) }),
    );
    const text = state === null ? null : await unpacked(state);
    if (state === null || text === null) throw new Error('Not packed.');
    await readModels.snapshots.write({ ...ADA, state: text });
    // Anywhere in the middle of it.
    const isThere = () =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(state.subarray(600, 700)));
    expect(isThere()).toBe(true);
    await readModels.snapshots.remove(ADA);
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
  });
});

describe('statements', () => {
  it('are index searches without a sort', () => {
    const db = openFile(':memory:', 0);
    for (const sql of [SNAPSHOT_SQL.get, SNAPSHOT_SQL.remove, SNAPSHOT_SQL.list]) {
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => 'x')) as { detail: string }[];
      expect(plan.map(({ detail }) => detail).join('; ')).toMatch(/^SEARCH snapshots USING INDEX \S+ \([^;]*\)$/);
    }
    db.close();
  });
});
