/**
 * Several processes on one database: each reads the others' writes, receives them once and in order, and can wait for
 * them.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, ReadModels } from '../../../src/readModels/readModels.ts';
import {
  at,
  codeOf,
  follow,
  HALLS,
  put,
  ROOMS,
  remove,
  room,
  served,
  take,
  write,
} from '../../contract/readModelsHarness.ts';
import { runs } from '../../given/fullForm.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { startMongoServer } from '../../servers/mongoServer.ts';
import { heldConnection } from './mongoFaults.ts';
import { createCase, describeOnMongo, type MongoCase } from './mongoServers.ts';

const SEED = 20_260_303;
const TIMEOUT_MS = 60_000;

describeOnMongo('many processes on MongoDB', (newCase) => {
  let mongo: MongoCase;
  let writer: ReadModels;
  let reader: ReadModels;
  beforeEach(async () => {
    mongo = newCase();
    writer = await mongo.open();
    reader = await mongo.open();
    await served(writer);
  });
  afterEach(() => mongo.dispose());

  it('read at once what another has written, switched to, or dropped', async () => {
    await write(writer, [put('a', 1)]);
    expect(await reader.get('rooms', 'a')).toMatchObject({ position: at(1) });
    await write(writer, [put('a', 2, { name: 'Green' }), put('b', 3)]);
    expect((await reader.get<{ name: string }>('rooms', 'a'))?.data.name).toBe('Green');
    expect(await reader.count('rooms')).toBe(2);
    await writer.prepare(ROOMS, 'v2');
    await write(writer, [put('a', 2, { name: 'Red' }), put('c', 4)], 'rooms', 'v2');
    await writer.serve('rooms', 'v2');
    expect(await reader.serving('rooms')).toBe('v2');
    expect((await reader.find<{ name: string }>('rooms', {})).documents.map(({ id, data }) => [id, data.name])).toEqual(
      [
        ['a', 'Red'],
        ['c', 'Blue'],
      ],
    );
    await writer.drop('rooms', 'v2');
    expect(await reader.count('rooms')).toBe(0);
    expect(await reader.get('rooms', 'a')).toBeNull();
  });

  it('find all or nothing in the middle of a switch', async () => {
    const name = 'x'.repeat(200);
    const writes = Array.from({ length: 300 }, (_, index) =>
      put(`r${String(index).padStart(3, '0')}`, index + 1, { price: index, name }),
    );
    await write(writer, writes);
    for (const build of ['v2', 'v3', 'v4', 'v5', 'v6']) {
      await writer.prepare(ROOMS, build);
      await write(writer, writes, 'rooms', build);
      expect(await reader.count('rooms')).toBe(300);
      let isOver = false;
      const switching = writer.serve('rooms', build).then(() => {
        isOver = true;
      });
      const lists = Array.from({ length: 4 }, async () => {
        while (!isOver) expect((await reader.find('rooms', { limit: 1000 })).documents).toHaveLength(300);
      });
      while (!isOver) {
        const [count, one] = await Promise.all([reader.count('rooms'), reader.get('rooms', 'r007')]);
        expect([count, one?.id]).toEqual([300, 'r007']);
      }
      await Promise.all([switching, ...lists]);
      expect(await reader.count('rooms')).toBe(300);
    }
  });

  it('receive what another writes, in its order, each once, and from their own position', async () => {
    await served(writer, HALLS);
    const changes = follow(reader, { models: ['rooms', 'halls'] });
    const first = changes.next();
    await begun(reader);
    await writer.commit([
      { model: 'rooms', build: 'v1', checkpoint: at(3), writes: [put('a', 1), put('b', 3)] },
      { model: 'halls', build: 'v1', checkpoint: at(3), writes: [put('h', 2)] },
    ]);
    await write(writer, [put('a', 4, { price: 4 }), remove('b', 5)]);
    expect((await first).value).toMatchObject({ id: 'a', kind: 'INSERT', position: at(1) });
    expect(await take(changes, 4)).toEqual(['INSERT b@3', 'INSERT h@2', 'UPDATE a@4', 'DELETE b@5']);
    await changes.return?.();
    await write(writer, [put('c', 6), put('a', 7)]);
    const resumed = follow(reader, { models: ['rooms', 'halls'], after: at(4) });
    const received = await take(resumed, 3);
    // In full, or by name where this process had already passed it.
    expect(received.map((each) => each.replace('INSERT c', 'UPDATE c'))).toEqual([
      'DELETE b@5',
      'UPDATE c@6',
      'UPDATE a@7',
    ]);
    await write(writer, [put('c', 8)]);
    expect(await take(resumed, 1)).toEqual(['UPDATE c@8']);
  });

  it('receive a switch by another, and then the changes of the new build', async () => {
    await write(writer, [put('a', 1), put('b', 2)]);
    const changes = follow(reader);
    const first = changes.next();
    await begun(reader);
    await writer.prepare(ROOMS, 'v2');
    await write(writer, [put('a', 1), put('b', 4, { price: 4 })], 'rooms', 'v2');
    await writer.serve('rooms', 'v2');
    await write(writer, [put('c', 5)], 'rooms', 'v2');
    expect((await first).value).toMatchObject({ id: 'b', kind: 'UPDATE', position: at(4) });
    expect(await take(changes, 1)).toEqual(['INSERT c@5']);
  });

  it('publish a large document by its name, and the reader reads it', async () => {
    const changes = follow(reader);
    const first = changes.next();
    await begun(reader);
    await write(writer, [
      put('a', 1),
      { id: 'large', position: at(2), data: { ...room(), note: 'x'.repeat(3_000_001) } },
      put('b', 3),
    ]);
    expect((await first).value).toMatchObject({ id: 'a', kind: 'INSERT' });
    const { value } = await changes.next();
    expect(value).toMatchObject({ id: 'large', kind: 'UPDATE', position: at(2) });
    expect(JSON.stringify(value?.data)).toContain('x'.repeat(3_000_001));
    expect(await take(changes, 1)).toEqual(['INSERT b@3']);
  });

  it('wait for a position reached by another', async () => {
    const waits = [3, 5, 5].map((position) => reader.reached(['rooms'], at(position), TIMEOUT_MS));
    await write(writer, [put('a', 3)]);
    expect(await waits[0]).toBe(true);
    await writer.commit([{ model: 'rooms', build: 'v1', checkpoint: at(5), writes: [] }]);
    expect(await Promise.all(waits)).toEqual([true, true, true]);
    expect(await reader.reached(['rooms'], at(6), 0)).toBe(false);
    await writer.commit([{ model: 'rooms', build: 'v1', checkpoint: at(6), writes: [] }]);
    expect(await reader.reached(['rooms'], at(6), 0)).toBe(true);
  });

  it('all processes see the same parked events', async () => {
    const record = {
      documentId: 'r1',
      eventType: 'RoomPainted',
      error: 'No paint',
      parkedAt: '2026-01-01T00:00:00.000Z',
      position: at(2),
    };
    await writer.commit([
      {
        model: 'rooms',
        build: 'v1',
        checkpoint: at(2),
        writes: [],
        park: [{ ...record, model: 'rooms', build: 'v1' }],
      },
    ]);
    expect(await reader.parked('rooms')).toEqual([{ ...record, model: 'rooms', build: 'v1' }]);
    await writer.drop('rooms', 'v1');
    expect(await reader.parked()).toEqual([]);
  });

  it('receive the newest states when they are behind the stored changes', async () => {
    const { db } = await mongo.connect();
    const connection = heldConnection(await mongo.connect(), 'changes');
    const slow = await mongo.open({}, connection);
    const changes = follow(slow);
    const first = changes.next();
    await begun(slow);
    await write(writer, [put('a', 1), put('b', 2)]);
    expect((await first).value).toMatchObject({ id: 'a', kind: 'INSERT' });
    expect(await take(changes, 1)).toEqual(['INSERT b@2']);
    // These batches have come and gone before it looks again.
    connection.hold();
    for (let position = 3; position <= 6; position++) await write(writer, [put(`n${position % 2}`, position)]);
    await write(writer, [remove('a', 7)]);
    const batches = db.collection<{ _id: string }>('changes');
    const kept = (await batches.find({}, { sort: { _id: -1 }, limit: 1 }).toArray())[0]?._id ?? '';
    await batches.deleteMany({ _id: { $lt: kept } });
    connection.release();
    expect(await take(changes, 3)).toEqual(['UPDATE n1@5', 'UPDATE n0@6', 'DELETE a@7']);
    await write(writer, [put('z', 8)]);
    expect(await take(changes, 1)).toEqual(['INSERT z@8']);
  });

  it('at any pace, with any stop and resume, have what the store has', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          ids: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 }),
          gone: fc.boolean(),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 6 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
    );
    let position = 0;
    let build = 1;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), fc.boolean(), async (steps, apart) => {
        const follower = createFollower(reader, at(position));
        const known = new Map(
          (await reader.find('rooms', { limit: 1000 })).documents.map(({ id, data }) => [id, data] as const),
        );
        // One after another, or beside the follower.
        let last: Promise<unknown> = Promise.resolve();
        const enqueue = (work: () => Promise<unknown>) => {
          last = last.then(work);
          return apart ? Promise.resolve() : last;
        };
        try {
          for (const action of steps) {
            if (action.kind === 'take') await follower.take(action.count);
            else if (action.kind === 'resume') follower.resume();
            else if (action.kind === 'rebuild') {
              await enqueue(async () => {
                const next = `v${++build}`;
                const ids = Array.from({ length: 8 }, (_, id) => `r${id}`);
                const writes = await writer.states('rooms', ids, `v${build - 1}`);
                const checkpoint = (await writer.checkpoint('rooms', `v${build - 1}`)) ?? at(0);
                await writer.prepare(ROOMS, next);
                await writer.commit([{ model: 'rooms', build: next, checkpoint, writes }]);
                await writer.serve('rooms', next);
              });
            } else {
              const writes = action.ids.map((id) =>
                action.gone ? remove(`r${id}`, ++position) : put(`r${id}`, ++position, { price: position }),
              );
              await enqueue(() => write(writer, writes, 'rooms', `v${build}`));
            }
          }
        } finally {
          await last;
        }
        await follower.rest();
        const { documents } = await writer.find('rooms', { limit: 1000 });
        const held = [...new Map<string, object | null>([...known, ...follower.held()])].filter(
          ([, data]) => data !== null,
        );
        expect(Object.fromEntries(held)).toEqual(Object.fromEntries(documents.map(({ id, data }) => [id, data])));
      }),
      { seed: SEED, numRuns: runs(40) },
    );
  });
});

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('an outage of MongoDB', () => {
  it('fails calls meanwhile, and watches and waits continue where they were', async () => {
    const first = await startMongoServer();
    const mongo = createCase(`${first.url}seo?serverSelectionTimeoutMS=300&heartbeatFrequencyMS=500`);
    const [writer, reader] = [await mongo.open(), await mongo.open()];
    await served(writer);
    const changes = follow(reader);
    const received = changes.next();
    await begun(reader);
    await write(writer, [put('a', 1)]);
    expect((await received).value).toMatchObject({ id: 'a' });
    await first.kill();
    const waiting = reader.reached(['rooms'], at(2), TIMEOUT_MS);
    expect(await codeOf(reader.get('rooms', 'a'))).toBe('READ_MODELS_UNAVAILABLE');
    expect(await codeOf(write(writer, [put('a', 2)]))).toBe('READ_MODELS_UNAVAILABLE');
    expect(await reader.reached(['rooms'], at(2), 50)).toBe(false);
    const second = await startMongoServer({ dir: first.dir, port: Number(new URL(first.url).port) });
    while ((await codeOf(write(writer, [put('a', 2), put('b', 3)]))) !== 'no error');
    expect(await waiting).toBe(true);
    expect(await take(changes, 2)).toEqual(['UPDATE a@2', 'INSERT b@3']);
    await mongo.dispose();
    await second.close();
    await first.close();
  });
});

/** Resolves when the watches requested so far have begun: a later one begins after them. */
async function begun(readModels: ReadModels): Promise<void> {
  const stop = new AbortController();
  const changes = follow(readModels, { signal: stop.signal, onCaughtUp: () => stop.abort() });
  while (!(await changes.next()).done);
}

/**
 * A client: applies the changes, and refuses to go back. Having caught up, it stops and resumes from the last position
 * it saw.
 */
function createFollower(readModels: ReadModels, from: string) {
  const rows = new Map<string, object | null>();
  let last = from;
  let stop = new AbortController();
  let changes = open();

  function open(): AsyncIterator<Change, undefined> {
    const ends = stop;
    return follow(readModels, { after: last, signal: ends.signal, onCaughtUp: () => ends.abort() });
  }
  function resume(): void {
    stop.abort();
    stop = new AbortController();
    changes = open();
  }
  async function takeOne(): Promise<boolean> {
    const { value } = await changes.next();
    if (!value) return false;
    expect(`${value.position} after ${last}`).toBe(
      value.position >= last ? `${value.position} after ${last}` : 'not before it',
    );
    last = value.position;
    rows.set(value.id, value.data);
    return true;
  }
  return {
    resume,
    take: async (count: number) => {
      for (let taken = 0; taken < count; taken++) if (!(await takeOne())) resume();
    },
    rest: async () => {
      resume();
      while (await takeOne());
    },
    held: () => rows,
  };
}
