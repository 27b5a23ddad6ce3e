/**
 * Documents that are no JSON any more: answered as unavailable, and folded again from the log without anybody's help.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { projecting } from '../given/stores/projections.ts';

const things = {
  name: 'things',
  version: 1,
  indexes: [['kind']],
  handles: ['ThingWritten'],
  keys: ({ data }: { data: { id: string } }) => [data.id],
  evolve: (_: object | null, { data }: { data: { id: string; text: string } }) => ({ kind: 'k', text: data.text }),
} as unknown as AnyProjection;

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'damaged-'));
  file = join(dir, 'readModels.db');
});
afterEach(() => rmSync(dir, { recursive: true }));

const event = (id: string, text: string) => ({
  id: crypto.randomUUID(),
  type: 'ThingWritten',
  data: { id, text },
  metadata: metadataAt('2026-01-01T00:00:00.000Z'),
});

async function damagedStores(change: string) {
  const store = rawEventStore();
  for (let nth = 0; nth < 5; nth++)
    await store.append(`thing-${nth}`, [event(`${nth}`, `text ${nth}`)], { expected: 'no_stream' });
  const before = openSqliteReadModels({ file });
  const loop = projecting(store, before, [things]);
  await loop.ready;
  await loop.stop();
  await before.close();
  const db = new Database(file);
  const table = db
    .prepare("SELECT name FROM sqlite_master WHERE name LIKE 'documents_%' AND type = 'table'")
    .pluck()
    .get() as string;
  // As flipped bytes do: the indexes do not notice.
  db.unsafeMode(true);
  for (const name of db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE '%json_extract%'")
    .pluck()
    .all(table))
    db.exec(`DROP INDEX "${name}"`);
  db.exec(`UPDATE ${table} SET data = ${change}`);
  db.close();
  return store;
}

describe('a damaged document', () => {
  it.each([
    ['cut off', "substr(data, 1, length(data) - 3) WHERE id = '2'"],
    ['no object', "'7' WHERE id = '2'"],
    ['null', 'NULL WHERE 1'],
    ['garbage, like all others', "'\u0001' || data WHERE 1"],
  ])('(%s) is unavailable at first, and then what the log says', async (_, change) => {
    const store = await damagedStores(change);
    const readModels = openSqliteReadModels({ file });
    await expect(readModels.get('things', '2')).rejects.toMatchObject({ code: 'READ_MODELS_UNAVAILABLE' });
    await expect(readModels.getMany('things', ['2'])).rejects.toMatchObject({ code: 'READ_MODELS_UNAVAILABLE' });
    const build = (await readModels.serving('things')) ?? '';
    await expect(readModels.states('things', ['2'], build)).rejects.toMatchObject({ code: 'READ_MODELS_UNAVAILABLE' });
    await expect(readModels.find('things', {})).rejects.toMatchObject({ code: 'READ_MODELS_UNAVAILABLE' });
    expect(await readModels.damaged()).toEqual(['things']);
    const loop = projecting(store, readModels, [things], { pollMs: 5 });
    // The projector's own read of the document must not hold it up either.
    await store.append('thing-2', [event('2', 'later')], { expected: 'any' });
    await vi.waitFor(
      async () => expect((await readModels.get('things', '2'))?.data).toEqual({ kind: 'k', text: 'later' }),
      10_000,
    );
    expect((await readModels.find('things', { where: { kind: 'k' } })).documents).toHaveLength(5);
    expect(await readModels.damaged()).toEqual([]);
    const builds = loop.logged.filter(({ message }) => message.includes('is being built again'));
    expect(builds).toHaveLength(1);
    await loop.stop();
    await readModels.close();
    await store.close();
  });
});
