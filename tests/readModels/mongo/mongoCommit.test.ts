/**
 * A commit that breaks off anywhere and is repeated: documents, checkpoints and changes are as if nothing had happened.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Change, Commit, ReadModels, SharedCheckpoint, Write } from '../../../src/readModels/readModels.ts';
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
  write,
} from '../../contract/readModelsHarness.ts';
import { type Fault, type FaultyConnection, faultyConnection } from './mongoFaults.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

const PARKED = { documentId: 'r9', eventType: 'RoomPainted', error: 'No paint', parkedAt: '2026-01-01T00:00:00.000Z' };

/** Rooms r0 to r3 exist at positions 1 to 4; this changes one, deletes one and adds two, and a hall. */
const COMMITS: readonly Commit[] = [
  {
    model: 'rooms',
    build: 'v1',
    checkpoint: at(9),
    writes: [put('r0', 5, { price: 50 }), remove('r1', 6), put('r4', 7), put('r5', 8)],
    park: [{ ...PARKED, model: 'rooms', build: 'v1', position: at(8) }],
  },
  { model: 'halls', build: 'v1', checkpoint: at(9), writes: [put('h1', 9)] },
];
const WITHOUT_CHECKPOINTS: readonly Commit[] = COMMITS.map(({ checkpoint: _, ...commit }) => commit);
const SHARED: SharedCheckpoint = {
  position: at(9),
  builds: [
    { model: 'rooms', build: 'v1' },
    { model: 'halls', build: 'v1' },
  ],
};
const RECEIVED = ['DELETE r1@6', 'any h1@9', 'any r0@5', 'any r4@7', 'any r5@8'];

describeOnMongo('a commit in MongoDB', (newCase) => {
  let mongo: MongoCase;
  let broken: FaultyConnection;
  let writer: ReadModels;
  beforeEach(async () => {
    mongo = newCase();
    broken = faultyConnection(await mongo.connect());
    writer = await mongo.open({}, broken);
    await served(writer);
    await served(writer, HALLS);
    await write(writer, [put('r0', 1), put('r1', 2), put('r2', 3), put('r3', 4)]);
    await writer.commit([{ model: 'halls', build: 'v1', checkpoint: at(4), writes: [] }]);
  });
  afterEach(() => mongo.dispose());

  const steps = ['halls.bulkWrite', 'rooms.bulkWrite', 'changes.insertMany', 'parked.bulkWrite', 'builds.bulkWrite'];
  const faults: Fault[] = steps.flatMap((_, index) =>
    (['before', 'half', 'after'] as const).map((how) => ({ at: index + 1, how })),
  );

  it('a commit has exactly these durable steps', async () => {
    broken.arm(null);
    await writer.commit(COMMITS);
    expect([...broken.writes.slice(0, 2)].sort().concat(broken.writes.slice(2))).toEqual(steps);
  });

  for (const fault of faults) {
    it(`that breaks off ${fault.how} step ${fault.at} (${steps[fault.at - 1]}) is done again by another process`, async () => {
      const reader = await mongo.open();
      const seen = collect(reader);
      await seen.begun;
      broken.arm(fault);
      expect(await codeOf(writer.commit(COMMITS))).toBe('READ_MODELS_UNAVAILABLE');
      expect(broken.isDead).toBe(true);
      const successor = await mongo.open();
      await redo(successor);
      await expectWhole(successor);
      await write(successor, [put('r6', 10)]);
      const received = await seen.upTo('r6@10');
      expect(received.map(withoutKind).sort()).toEqual([...RECEIVED, 'any r6@10'].sort());
    });
  }

  const sharedSteps = [...steps.slice(0, -1), 'builds.updateOne'];

  it('a commit with the shared checkpoint has the same steps, and writes that one alone', async () => {
    await writer.shareCheckpoint(SHARED.builds);
    broken.arm(null);
    await writer.commit(WITHOUT_CHECKPOINTS, SHARED);
    expect([...broken.writes.slice(0, 2)].sort().concat(broken.writes.slice(2))).toEqual(sharedSteps);
    broken.arm(null);
    await writer.commit([], { ...SHARED, position: at(10) });
    expect(broken.writes).toEqual(sharedSteps.slice(-1));
    expect(await (await mongo.open()).checkpoint('halls', 'v1')).toBe(at(10));
  });

  for (const fault of faults) {
    it(`with the shared checkpoint that breaks off ${fault.how} step ${fault.at} (${sharedSteps[fault.at - 1]}) is done again by another process`, async () => {
      await writer.shareCheckpoint(SHARED.builds);
      const reader = await mongo.open();
      const seen = collect(reader);
      await seen.begun;
      broken.arm(fault);
      expect(await codeOf(writer.commit(WITHOUT_CHECKPOINTS, SHARED))).toBe('READ_MODELS_UNAVAILABLE');
      const successor = await mongo.open();
      await successor.shareCheckpoint(SHARED.builds);
      await redo(successor, WITHOUT_CHECKPOINTS, SHARED);
      await expectWhole(successor);
      await successor.commit([{ model: 'rooms', build: 'v1', writes: [put('r6', 10)] }], {
        ...SHARED,
        position: at(10),
      });
      const received = await seen.upTo('r6@10');
      expect(received.map(withoutKind).sort()).toEqual([...RECEIVED, 'any r6@10'].sort());
    });
  }

  it('with the shared checkpoint of a process that missed a change of its builds is refused', async () => {
    await writer.shareCheckpoint(SHARED.builds);
    const successor = await mongo.open();
    await successor.prepare({ ...HALLS, version: 2 }, 'v2');
    await successor.serve('halls', 'v2');
    const now = [
      { model: 'rooms', build: 'v1' },
      { model: 'halls', build: 'v2' },
    ];
    await successor.shareCheckpoint(now);
    await successor.commit([], { position: at(6), builds: now });
    const stale: Commit = { model: 'rooms', build: 'v1', writes: [put('stale', 7)] };
    expect(await codeOf(writer.commit([stale], { position: at(7), builds: SHARED.builds }))).toBe('UNKNOWN_BUILD');
    // What it wrote is of the log, and the next batch repeats it.
    expect(await successor.checkpoint('rooms', 'v1')).toBe(at(6));
    expect(await successor.commit([stale], { position: at(7), builds: now })).toEqual([{ skipped: 1 }]);
    expect(await successor.checkpoint('rooms', 'v1')).toBe(at(7));
  });

  const LARGE: readonly Commit[] = [
    {
      model: 'rooms',
      build: 'v1',
      checkpoint: at(99),
      writes: Array.from({ length: 65 }, (_, nth) => put(`many${nth}`, 10 + nth)),
    },
    { model: 'halls', build: 'v1', checkpoint: at(99), writes: [put('h1', 9)], isUrgent: true },
  ];
  const largeSteps = ['halls', 'rooms'].flatMap((model) => [
    `${model}.bulkWrite`,
    'changes.insertMany',
    'builds.bulkWrite',
  ]);

  it('of many documents writes and publishes what is urgent before the rest', async () => {
    broken.arm(null);
    expect(await writer.commit(LARGE)).toEqual([{ skipped: 0 }, { skipped: 0 }]);
    expect(broken.writes).toEqual(largeSteps);
  });

  for (const [index, step] of largeSteps.entries()) {
    it(`of many documents that breaks off in the middle of step ${index + 1} (${step}) is done again by another process`, async () => {
      const seen = collect(await mongo.open());
      await seen.begun;
      broken.arm({ at: index + 1, how: 'half' });
      expect(await codeOf(writer.commit(LARGE))).toBe('READ_MODELS_UNAVAILABLE');
      const successor = await mongo.open();
      await redo(successor, LARGE);
      await write(successor, [put('r6', 100)]);
      const received = (await seen.upTo('r6@100')).map(withoutKind);
      expect(received.toSorted()).toEqual(
        ['any h1@9', 'any r6@100', ...Array.from({ length: 65 }, (_, nth) => `any many${nth}@${10 + nth}`)].toSorted(),
      );
      expect(await successor.checkpoint('rooms', 'v1')).toBe(at(100));
      expect(await successor.checkpoint('halls', 'v1')).toBe(at(99));
    });
  }

  for (const part of [1, 2]) {
    it(`of so many changed documents that they are sent as two commands, which breaks off in command ${part}, is done again by another process`, async () => {
      const ids = Array.from({ length: 300 }, (_, nth) => `many${nth}`);
      await write(
        writer,
        ids.map((id, nth) => put(id, 100 + nth)),
      );
      const seen = collect(await mongo.open());
      await seen.begun;
      const changed: Commit = {
        model: 'rooms',
        build: 'v1',
        checkpoint: at(1_299),
        writes: ids.map((id, nth) => put(id, 1_000 + nth, { price: nth })),
      };
      broken.arm({ at: part, how: 'half' });
      expect(await codeOf(writer.commit([changed]))).toBe('READ_MODELS_UNAVAILABLE');
      const successor = await mongo.open();
      expect(await successor.checkpoint('rooms', 'v1')).toBe(at(399));
      await redo(successor, [changed]);
      await write(successor, [put('r6', 2_000)]);
      const received = (await seen.upTo('r6@2000')).map(withoutKind);
      expect(received.toSorted()).toEqual(
        ['any r6@2000', ...ids.map((id, nth) => `any ${id}@${1_000 + nth}`)].toSorted(),
      );
      const prices = (await successor.getMany<{ price: number }>('rooms', ids)).map(({ data }) => data.price);
      expect(prices).toEqual(ids.map((_, nth) => nth));
    });
  }

  it('that broke off is repeated by the process itself', async () => {
    for (const fault of [faults[1], faults[4], faults[7], faults[13]]) {
      const seen = collect(await mongo.open());
      await seen.begun;
      broken.arm(fault ?? null);
      expect(await codeOf(writer.commit(COMMITS))).toBe('READ_MODELS_UNAVAILABLE');
      broken.arm(null);
      await writer.commit(COMMITS);
      await expectWhole(writer);
      await writer.drop('rooms', 'v1');
      await writer.drop('halls', 'v1');
      await served(writer);
      await served(writer, HALLS);
      await write(writer, [put('r0', 1), put('r1', 2), put('r2', 3), put('r3', 4)]);
    }
  });

  it('of an owner that was paused in the middle, and resumes when another has continued, publishes and changes nothing stale', async () => {
    const seen = collect(await mongo.open());
    await seen.begun;
    // It stops with its documents written, and nothing published.
    broken.arm({ at: 3, how: 'before' });
    expect(await codeOf(writer.commit(COMMITS))).toBe('READ_MODELS_UNAVAILABLE');
    const successor = await mongo.open();
    await redo(successor);
    await successor.commit([
      {
        model: 'rooms',
        build: 'v1',
        checkpoint: at(12),
        writes: [put('r0', 11, { price: 1 }), put('r4', 12, { price: 2 })],
      },
    ]);
    broken.arm(null);
    expect(await writer.commit(COMMITS)).toEqual([{ skipped: 4 }, { skipped: 1 }]);
    expect((await successor.get<{ price: number }>('rooms', 'r0'))?.data.price).toBe(1);
    expect(await successor.checkpoint('rooms', 'v1')).toBe(at(12));
    await write(successor, [put('r6', 13)]);
    const received = await seen.upTo('r6@13');
    expect(received.map(withoutKind).sort()).toEqual([...RECEIVED, 'any r0@11', 'any r4@12', 'any r6@13'].sort());
  });

  it('of an owner whose build was dropped, or replaced, is refused and leaves nothing behind', async () => {
    const successor = await mongo.open();
    await successor.prepare(ROOMS, 'v2');
    await successor.commit([{ model: 'rooms', build: 'v2', checkpoint: at(4), writes: [put('r0', 1), put('r1', 2)] }]);
    const seen = collect(successor);
    await seen.begun;
    await successor.serve('rooms', 'v2');
    expect(
      await codeOf(writer.commit([{ model: 'rooms', build: 'v1', checkpoint: at(5), writes: [put('stale', 5)] }])),
    ).toBe('UNKNOWN_BUILD');
    expect(await successor.get('rooms', 'stale')).toBeNull();
    await successor.drop('halls', 'v1');
    await successor.prepare(HALLS, 'v1');
    expect(
      await codeOf(writer.commit([{ model: 'halls', build: 'v1', checkpoint: at(5), writes: [put('stale', 5)] }])),
    ).toMatch(/UNKNOWN_BUILD|no error/);
    expect(await successor.checkpoint('rooms', 'v2')).toBe(at(4));
    await successor.serve('rooms', 'v2');
    const { db } = await mongo.connect();
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('docs_rooms'))).toHaveLength(1);
    await write(successor, [put('r6', 6)], 'rooms', 'v2');
    expect((await seen.upTo('r6@6')).filter((received) => received.includes('stale'))).toEqual([]);
  });

  it('skipped by two writers at once ends with the later document', async () => {
    const other = await mongo.open();
    const positions = Array.from({ length: 20 }, (_, index) => 20 + index);
    for (const position of positions) {
      const early = writer.commit([
        {
          model: 'halls',
          build: 'v1',
          checkpoint: at(position),
          writes: [put(`h${position}`, position, { price: 1 })],
        },
      ]);
      const late = other.commit([
        {
          model: 'halls',
          build: 'v1',
          checkpoint: at(position),
          writes: [put(`h${position}`, position + 1, { price: 2 })],
        },
      ]);
      await Promise.all([early, late]);
    }
    const { documents } = await other.find<{ price: number }>('halls', { limit: 100 });
    expect(documents.map(({ data }) => data.price)).toEqual(positions.map(() => 2));
  });

  /** As a projection does: a document at its position already is not written again. */
  async function redo(
    readModels: ReadModels,
    broken: readonly Commit[] = COMMITS,
    shared?: SharedCheckpoint,
  ): Promise<void> {
    const commits: Commit[] = [];
    for (const commit of broken) {
      const states = await readModels.states(
        commit.model,
        commit.writes.map(({ id }) => id),
        commit.build,
      );
      const isWritten = (each: Write) => states.some(({ id, position }) => id === each.id && position >= each.position);
      commits.push({ ...commit, writes: commit.writes.filter((each) => !isWritten(each)) });
    }
    await readModels.commit(commits, shared);
  }

  async function expectWhole(readModels: ReadModels): Promise<void> {
    expect((await readModels.find('rooms', {})).documents).toEqual([
      { id: 'r0', position: at(5), data: room({ price: 50 }) },
      { id: 'r2', position: at(3), data: room() },
      { id: 'r3', position: at(4), data: room() },
      { id: 'r4', position: at(7), data: room() },
      { id: 'r5', position: at(8), data: room() },
    ]);
    expect((await readModels.states('rooms', ['r1'], 'v1'))[0]).toEqual({ id: 'r1', position: at(6), data: null });
    expect(await readModels.get('halls', 'h1')).toMatchObject({ position: at(9) });
    expect(await Promise.all([readModels.checkpoint('rooms', 'v1'), readModels.checkpoint('halls', 'v1')])).toEqual([
      at(9),
      at(9),
    ]);
    expect((await readModels.parked()).map(({ documentId }) => documentId)).toEqual(['r9']);
  }
});

/** The kind of a change published after a crash depends on what is still known of the state before it. */
function withoutKind(received: string): string {
  return received.replace(/^(INSERT|UPDATE)/, 'any');
}

/** Follows both models from now on. */
function collect(readModels: ReadModels) {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const changes = follow(readModels, { models: ['rooms', 'halls'], onCaughtUp: () => begin() });
  const received: string[] = [];
  let next: Promise<IteratorResult<Change, undefined>> | null = changes.next();
  return {
    begun,
    /** All changes published, up to and including that one. */
    upTo: async (last: string): Promise<readonly string[]> => {
      while (!received.at(-1)?.endsWith(` ${last}`)) {
        const { value } = await (next ?? changes.next());
        next = null;
        if (!value) throw new Error(`The watch ended after ${received.join(', ')}`);
        received.push(`${value.kind} ${value.id}@${Number(value.position)}`);
      }
      await changes.return?.();
      return received;
    },
  };
}
