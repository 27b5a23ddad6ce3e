/** Deleted content in the stored changes of followers that are behind. */
import { expect, it } from 'vitest';
import type { MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { describeOnMongo } from './mongoServers.ts';

const MODEL = { name: 'things', version: 1, indexes: [] } as const;
const at = (number: number): string => String(number).padStart(20, '0');
const write = (readModels: ReadModels, number: number, id: string, data: object | null) =>
  readModels.commit([
    { model: 'things', build: 'v1', writes: [{ id, position: at(number), data }], checkpoint: at(number) },
  ]);
const kept = async ({ db }: MongoConnection): Promise<string> =>
  JSON.stringify(await db.collection('changes').find().toArray());
/** A period that never ends in a test. */
const LATER = 1_000_000;

describeOnMongo('erasing deleted content', (newCase) => {
  it('removes it from the stored batches, and nothing else', async () => {
    const mongo = newCase();
    const connection = await mongo.connect();
    const readModels = await mongo.open({ eraseAfterMs: 0 }, connection);
    await readModels.prepare(MODEL, 'v1');
    await readModels.serve('things', 'v1');
    await write(readModels, 1, 'a', { text: 'secret one' });
    await write(readModels, 2, 'b', { text: 'open' });
    await write(readModels, 3, 'a', { text: 'secret two' });
    await write(readModels, 4, 'a', null);
    await expect.poll(() => kept(connection), { timeout: 5_000 }).not.toContain('secret');
    expect(await kept(connection)).toContain('open');
    await write(readModels, 5, 'a', { text: 'back again' });
    await write(readModels, 6, 'b', null);
    await expect.poll(() => kept(connection), { timeout: 5_000 }).not.toContain('open');
    expect(await kept(connection)).toContain('back again');
    await mongo.dispose();
  });

  it('is completed by the next process after a crash', async () => {
    const mongo = newCase();
    const connection = await mongo.connect();
    const first = await mongo.open({ eraseAfterMs: LATER }, connection);
    await first.prepare(MODEL, 'v1');
    await first.serve('things', 'v1');
    await write(first, 1, 'a', { text: 'secret' });
    await write(first, 2, 'a', null);
    await first.close();
    expect(await kept(connection)).toContain('secret');
    const next = await mongo.open({ eraseAfterMs: 0 }, connection);
    await write(next, 3, 'b', { text: 'open' });
    await expect.poll(() => kept(connection), { timeout: 5_000 }).not.toContain('secret');
    await mongo.dispose();
  });

  it('finds what another process wrote in between', async () => {
    const mongo = newCase();
    const connection = await mongo.connect();
    const mine = await mongo.open({ eraseAfterMs: 0 }, connection);
    await mine.prepare(MODEL, 'v1');
    await mine.serve('things', 'v1');
    await write(mine, 1, 'a', { text: 'open' });
    const other = await mongo.open({ eraseAfterMs: LATER }, connection);
    await write(other, 2, 'b', { text: 'secret' });
    await write(mine, 3, 'c', { text: 'open' });
    await write(mine, 4, 'b', null);
    await expect.poll(() => kept(connection), { timeout: 5_000 }).not.toContain('secret');
    expect(await kept(connection)).toContain('open');
    await mongo.dispose();
  });

  it('has nothing to do where documents are large: only their names are stored, and followers read them', async () => {
    const mongo = newCase();
    const connection = await mongo.connect();
    const readModels = await mongo.open({ eraseAfterMs: LATER }, connection);
    await readModels.prepare({ ...MODEL, isBulky: true }, 'v1');
    await readModels.serve('things', 'v1');
    const ended = new AbortController();
    const received: unknown[] = [];
    const watching = (async () => {
      for await (const { kind, id, data, old } of readModels.watch({ models: ['things'], signal: ended.signal }))
        received.push({ kind, id, data, old });
    })();
    await write(readModels, 1, 'a', { text: 'much' });
    await expect.poll(() => received, { timeout: 5_000 }).toHaveLength(1);
    await write(readModels, 2, 'a', { text: 'more' });
    await expect.poll(() => received, { timeout: 5_000 }).toHaveLength(2);
    await write(readModels, 3, 'a', null);
    await expect.poll(() => received, { timeout: 5_000 }).toHaveLength(3);
    expect(received).toMatchObject([
      { kind: 'UPDATE', data: { text: 'much' } },
      { kind: 'UPDATE', data: { text: 'more' } },
      { kind: 'DELETE', data: null },
    ]);
    expect(await kept(connection)).not.toMatch(/much|more/);
    ended.abort();
    await watching;
    await mongo.dispose();
  });

  it('still notifies followers that the document is gone', async () => {
    const mongo = newCase();
    const readModels = await mongo.open({ eraseAfterMs: 0 });
    await readModels.prepare(MODEL, 'v1');
    await readModels.serve('things', 'v1');
    const ended = new AbortController();
    const received: string[] = [];
    const watching = (async () => {
      for await (const change of readModels.watch({ models: ['things'], signal: ended.signal }))
        received.push(`${change.kind} ${change.position}`);
    })();
    await write(readModels, 1, 'a', { text: 'secret' });
    await write(readModels, 2, 'a', null);
    await expect.poll(() => received.at(-1), { timeout: 5_000 }).toBe(`DELETE ${at(2)}`);
    ended.abort();
    await watching;
    await mongo.dispose();
  });
});
