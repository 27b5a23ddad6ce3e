/**
 * What a commit, its readers and a claim send to the server, by the driver's command monitoring: on a server that
 * journals, each needless command is a wait.
 */
import type { CommandStartedEvent } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMongoClaims } from '../../../src/readModels/mongo/coordination/mongoClaims.ts';
import { createMongoMarks } from '../../../src/readModels/mongo/coordination/mongoMarks.ts';
import type { MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';
import type { Position, ReadModels, Write } from '../../../src/readModels/readModels.ts';
import { at, follow, HALLS, put, ROOMS, remove, served, write } from '../../contract/readModelsHarness.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

/** Far longer than any test: nothing is polled. */
const HOUR = 3_600_000;

describeOnMongo('the commands sent to MongoDB', (newCase) => {
  let mongo: MongoCase;
  let connection: MongoConnection;
  let readModels: ReadModels;
  let sent: string[];

  beforeEach(async () => {
    mongo = newCase();
    ({ connection, sent } = await monitored(mongo));
    readModels = await mongo.open({}, connection);
    await served(readModels);
    await readModels.prepare(ROOMS, 'v2');
    sent.length = 0;
  });
  afterEach(async () => {
    await mongo.dispose();
  });

  /**
   * What was sent since the last call. What is asked once a second, however many commits there are, is left out: a busy
   * machine may have let one pass.
   */
  function commands(): readonly string[] {
    const taken = sent.filter((command) => !TIMED.has(command));
    sent.length = 0;
    return taken;
  }

  /** Many are sent as two commands at once, of which the server needs less time. */
  const updates = (count: number): readonly string[] =>
    Array.from({ length: count < 200 ? 1 : 2 }, () => 'update docs_rooms');
  const rooms = (count: number, position: number): readonly Write[] =>
    Array.from({ length: count }, (_, index) => put(`r${index}`, position + index));

  for (const count of [1, 50, 500]) {
    it(`a commit of ${count} documents to a build being filled: one for the documents, one for the checkpoint, and one to ask what is there`, async () => {
      await write(readModels, rooms(count, 1), 'rooms', 'v2');
      expect(commands()).toEqual(['insert docs_rooms', 'update builds']);
      await write(readModels, rooms(count, 1_000), 'rooms', 'v2');
      expect(commands()).toEqual(['find docs_rooms', ...updates(count), 'update builds']);
      const both = [
        ...rooms(count, 2_000),
        ...Array.from({ length: count }, (_, index) => put(`new${index}`, 3_000 + index)),
      ];
      await write(readModels, both, 'rooms', 'v2');
      expect(commands().toSorted()).toEqual([
        'find docs_rooms',
        'insert docs_rooms',
        'update builds',
        ...updates(count),
      ]);
    });

    it(`a commit of ${count} documents on states that were read for it asks for nothing again`, async () => {
      await write(readModels, rooms(count, 1), 'rooms', 'v2');
      const ids = rooms(count, 1).map(({ id }) => id);
      for (const [build, published] of [
        ['v2', []],
        ['v1', ['insert changes']],
      ] as const) {
        await write(readModels, rooms(count, 1_000), 'rooms', build);
        await readModels.states('rooms', ids, build);
        commands();
        await write(readModels, rooms(count, 2_000), 'rooms', build);
        expect(commands()).toEqual([...updates(count), ...published, 'update builds']);
      }
    });

    it(`a commit of ${count} documents to a serving build publishes all its changes at once`, async () => {
      const large = (position: number) =>
        rooms(count, position).map((each) => ({ ...each, data: { ...each.data, name: 'x'.repeat(1_000) } }));
      await write(readModels, large(1));
      commands();
      await write(readModels, large(1_000));
      expect(commands()).toEqual(['find docs_rooms', ...updates(count), 'insert changes', 'update builds']);
    });
  }

  it('a commit to several builds writes the checkpoints together, and without changes nothing else', async () => {
    await served(readModels, HALLS);
    await write(readModels, [put('r1', 1)]);
    await write(readModels, [put('h1', 1)], 'halls');
    commands();
    await readModels.commit([
      { model: 'rooms', build: 'v1', checkpoint: at(9), writes: [put('r1', 9)] },
      { model: 'halls', build: 'v1', checkpoint: at(9), writes: [put('h1', 9)] },
    ]);
    const [found, written, rest] = [
      commandsOf('find'),
      commandsOf('update docs'),
      commands().filter((command) => !command.includes('docs_')),
    ];
    expect([found, written, rest]).toEqual([2, 2, ['insert changes', 'update builds']]);
    await readModels.commit(
      ['rooms', 'halls'].map((model) => ({ model, build: 'v1', checkpoint: at(10), writes: [] })),
    );
    expect(commands()).toEqual(['update builds']);
  });

  const commandsOf = (prefix: string): number =>
    sent.filter((command) => command.startsWith(prefix) && command.includes('docs_')).length;

  it('states deleted since are erased from the kept changes in one reading and one write', async () => {
    const other = await monitored(mongo);
    const erasing = await mongo.open({ eraseAfterMs: 20 }, other.connection);
    for (let position = 1; position <= 5; position += 1)
      await write(erasing, [put('r1', position, { name: 'secret' })]);
    await write(erasing, [put('r2', 6)]);
    other.sent.length = 0;
    await write(erasing, [remove('r1', 7)]);
    const { db } = other.connection;
    const holdsSecret = async () =>
      JSON.stringify(await db.collection('changes').find({}).toArray()).includes('secret');
    while (await holdsSecret());
    expect(other.sent.filter((command) => command === 'update changes')).toHaveLength(1);
  });

  it('a watch reads each batch of another process once, and none of its own', async () => {
    // Without change streams a reader has to ask.
    if (!connection.isReplicaSet) return;
    const reading = await monitored(mongo);
    const reader = await mongo.open({ pollMs: HOUR }, reading.connection);
    const next = await watching(reader);
    const reads = () => reading.sent.filter((command) => command === 'read changes').length;
    for (let position = 1; position <= 5; position += 1) {
      await write(readModels, [put('a', position)]);
      expect(await next()).toBe(at(position));
    }
    // Two more: where the watch begins, and where the change stream does.
    expect(reads()).toBeLessThanOrEqual(7);
    const before = reads();
    for (let position = 6; position <= 10; position += 1) {
      await write(reader, [put('a', position)]);
      expect(await next()).toBe(at(position));
    }
    // Announced after all of those.
    await write(readModels, [put('a', 11)]);
    expect(await next()).toBe(at(11));
    expect(reads()).toBeLessThanOrEqual(before + 2);
  });

  it('waiting for what the own process commits does not ask again and again whether it is there', async () => {
    const own = await mongo.open({ pollMs: HOUR }, connection);
    await write(own, [put('a', 1)]);
    sent.length = 0;
    const waiting = own.reached(['rooms'], at(3), HOUR);
    for (const position of [2, 3]) await write(own, [put('a', position)]);
    expect(await waiting).toBe(true);
    // Once at the beginning, and by commits that find their knowledge too old.
    expect(sent.filter((command) => command === 'find builds').length).toBeLessThanOrEqual(5);
  });

  it('marks that are written at the same time go together', async () => {
    const marks = createMongoMarks(connection);
    const names = Array.from({ length: 9 }, (_, index) => `follower/${index}`);
    sent.length = 0;
    await Promise.all(names.map((name) => marks.write(name, 'first')));
    expect(commands()).toEqual(['update marks']);
    const others = createMongoMarks(await mongo.connect());
    await Promise.all([...names, 'new'].flatMap((name) => [marks.write(name, 'second'), others.write(name, 'second')]));
    expect(await Promise.all([...names, 'new'].map((name) => marks.read(name)))).toEqual(
      [...names, 'new'].map(() => 'second'),
    );
  });

  it('looking for holders asks for the claims alone, and indexes that are gone come back', async () => {
    const claims = await openMongoClaims(connection);
    expect(await claims.holders()).toEqual([]);
    commands();
    expect(await claims.holders()).toEqual([]);
    expect(commands()).toEqual(['find claims']);
    const item = { kind: 'audit', itemId: 'a', opening: at(1), lane: 'ada' };
    expect(await claims.take({ item, seen: null, holder: 'one', laneLimit: 2, running: 0 })).toMatchObject({
      holder: 'one',
    });
    expect(commands()).toEqual(['insert claims', 'find claims']);
    await connection.db.collection('claims').dropIndexes();
    expect(await claims.holders()).toEqual(['one']);
    const names = (await connection.db.collection('claims').indexes()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['_id_', 'holder', 'item', 'settled', 'slot']);
  });
});

const TIMED = new Set(['find builds', 'find changes', 'read changes', 'aggregate changes', 'getMore changes']);

/** A connection with what is sent on it: command and collection, a build's documents under their model. */
async function monitored(mongo: MongoCase): Promise<{ readonly connection: MongoConnection; readonly sent: string[] }> {
  const sent: string[] = [];
  const connection = await mongo.connect({ monitorCommands: true });
  connection.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    const collection = String(commandName === 'getMore' ? command.collection : command[commandName]);
    // By its number alone: as a watch does.
    const isRead =
      commandName === 'find' &&
      collection === 'changes' &&
      typeof command.filter?._id === 'string' &&
      !command.projection;
    sent.push(
      `${isRead ? 'read' : commandName} ${collection.startsWith('docs_') ? collection.split('_', 2).join('_') : collection}`,
    );
  });
  return { connection, sent };
}

/** A watch from now on: each call answers the position of the next change. */
async function watching(readModels: ReadModels): Promise<() => Promise<Position | undefined>> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const changes = follow(readModels, { onCaughtUp: () => begin() });
  let next = changes.next();
  await begun;
  return async () => {
    const { value } = await next;
    next = changes.next();
    return value?.position;
  };
}
