/** Poison events: one document waits, all others continue, nothing is lost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { type Projecting, projecting, withLatePage } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, type BoxDocument, boxes, burned, filled, owners, type ToyEvent, tally } from '../projections/toys.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

const TIMEOUT_MS = 20_000;
const BAD = 666;

let store: EventStore;
let readModels: ReadModels;
let running: Projecting[];
let broken: boolean;
beforeEach(() => {
  store = rawEventStore();
  readModels = memoryReadModels();
  running = [];
  broken = true;
});
afterEach(async () => {
  await Promise.allSettled(running.map((each) => each.stop()));
  await readModels.close();
  await store.close();
});

function start(projections: readonly AnyProjection[], batchSize = 200): Projecting {
  const loop = projecting(store, readModels, projections, { batchSize });
  running.push(loop);
  return loop;
}

const isBad = (event: ToyEvent): boolean => broken && event.type === 'BoxFilled' && event.data.items >= BAD;

/** Fails on a box filled with 666 or more until it is fixed. */
const touchy: AnyProjection = {
  ...boxes,
  evolve: (document: BoxDocument | null, event, key) => {
    if (isBad(event as ToyEvent)) throw new RangeError(`No box holds ${(event.data as { items: number }).items}.`);
    return boxes.evolve(document, event, key);
  },
};

async function clean(model: AnyProjection): Promise<Record<string, object>> {
  const other = memoryReadModels();
  const loop = projecting(store, other, [model]);
  await loop.ready;
  const documents = await documentsOf(other, model.name);
  await loop.stop();
  await other.close();
  return documents;
}

describe.each([1, 3, 200])('an event that cannot be applied, batches of %i', (batchSize) => {
  it('freezes its document only; the rest, other models and the checkpoint continue; the retry applies missed events, in order', async () => {
    const loop = start([touchy, tally], batchSize);
    await append(store, filled('a', 1), filled('b', 1), filled('a', BAD), filled('a', 2), filled('b', 2));
    const position = await append(store, filled('a', 3), filled('c', 5));
    expect(await readModels.reached(['boxes', 'tally'], position, TIMEOUT_MS)).toBe(true);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({
      a: { history: [1] },
      b: { history: [1, 2] },
      c: { history: [5] },
    });
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 7 } });
    expect(await readModels.parked()).toMatchObject([
      {
        model: 'boxes',
        build: 'v1',
        documentId: 'a',
        eventType: 'BoxFilled',
        error: 'RangeError: No box holds 666.',
        parkedAt: '2026-01-01T00:01:00.000Z',
      },
    ]);
    expect(await loop.lag()).toMatchObject({
      parked: 1,
      models: { boxes: { parked: 1, pending: 2 }, tally: { parked: 0 } },
    });
    expect(loop.logged.filter(({ level }) => level === 'error')).toHaveLength(1);

    broken = false;
    expect(await loop.retryParked('boxes')).toEqual({ retried: 1, stillParked: [] });
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1, BAD, 2, 3], items: 672 } });
    expect(await readModels.parked()).toEqual([]);
    await readModels.reached(['boxes'], await append(store, filled('a', 9)), TIMEOUT_MS);
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
  });

  it('stays parked through a restart, and is retried then', async () => {
    const first = start([touchy], batchSize);
    await readModels.reached(
      ['boxes'],
      await append(store, filled('a', 1), filled('a', BAD), filled('a', 2)),
      TIMEOUT_MS,
    );
    await first.stop();
    await append(store, filled('a', 3), filled('b', 4));
    const second = start([touchy], batchSize);
    await second.ready;
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1] }, b: { history: [4] } });
    expect((await second.lag()).parked).toBe(1);
    broken = false;
    await second.retryParked('boxes', 'a');
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
  });
});

describe('retrying', () => {
  it('reads the log only from positions that it returned, as EventStoreDB requires', async () => {
    const server = await startEventStoreDbServer();
    await store.close();
    store = await openEventStoreDb({ url: server.url });
    const loop = start([touchy]);
    await readModels.reached(
      ['boxes'],
      await append(store, filled('a', 1), filled('a', BAD), filled('a', 2)),
      TIMEOUT_MS,
    );
    broken = false;
    expect(await loop.retryParked('boxes')).toEqual({ retried: 1, stillParked: [] });
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
    await loop.stop();
    await server.close();
  });

  it('while the code is still wrong keeps it parked, with its last good state', async () => {
    const loop = start([touchy]);
    await readModels.reached(
      ['boxes'],
      await append(store, filled('a', 1), filled('a', BAD), filled('a', 2)),
      TIMEOUT_MS,
    );
    const result = await loop.retryParked('boxes', 'a');
    expect(result).toMatchObject({
      retried: 1,
      stillParked: [{ documentId: 'a', error: 'RangeError: No box holds 666.' }],
    });
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1] } });
  });

  it('stops at the next failing event, and keeps what it could apply before', async () => {
    let limit = BAD;
    const picky: AnyProjection = {
      ...boxes,
      evolve: (document: BoxDocument | null, event, key) => {
        if ((event.data as { items: number }).items >= limit) throw new Error('Too many');
        return boxes.evolve(document, event, key);
      },
    };
    const loop = start([picky], 2);
    const position = await append(
      store,
      filled('a', 1),
      filled('a', BAD),
      filled('a', 2),
      filled('a', BAD + 1),
      filled('a', 3),
    );
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    limit = BAD + 1;
    const { stillParked } = await loop.retryParked('boxes');
    expect(Number(stillParked[0]?.position)).toBe(4);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1, BAD, 2] } });
    limit = Number.POSITIVE_INFINITY;
    await loop.retryParked('boxes');
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
  });

  it('during appends misses none of them', async () => {
    const loop = start([touchy], 2);
    await readModels.reached(
      ['boxes'],
      await append(store, filled('a', BAD), ...Array.from({ length: 50 }, (_, n) => filled('a', n))),
      TIMEOUT_MS,
    );
    broken = false;
    const [, position] = await Promise.all([
      loop.retryParked('boxes'),
      append(store, ...Array.from({ length: 50 }, (_, n) => filled('a', 100 + n))),
    ]);
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
    expect(await readModels.parked()).toEqual([]);
  });

  it('overtaken while it read the last page applies later events too', async () => {
    const late = withLatePage(store, async () =>
      readModels.reached(['boxes'], await append(store, filled('a', 7)), TIMEOUT_MS),
    );
    const first = start([touchy]);
    await readModels.reached(['boxes'], await append(store, filled('a', BAD), filled('a', 1)), TIMEOUT_MS);
    await first.stop();
    const loop = projecting(late, readModels, [touchy]);
    running.push(loop);
    await loop.ready;
    broken = false;
    await loop.retryParked('boxes');
    expect(late.happened()).toBe(true);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [BAD, 1, 7] } });
  });

  it('of an unparked document does nothing; of an unknown model is refused', async () => {
    const loop = start([touchy]);
    await loop.ready;
    expect(await loop.retryParked('boxes', 'nobody')).toEqual({ retried: 0, stillParked: [] });
    await expect(loop.retryParked('cellars')).rejects.toThrow(/no projection cellars/);
  });
});

describe('other ways to fail', () => {
  it('a document fed by several streams waits, while other documents of the same event do not', async () => {
    const shy: AnyProjection = {
      ...owners,
      evolve: (document, event, key) => {
        if (broken && key === 'bob' && event.type === 'BoxMoved') throw new Error('Not bob');
        return owners.evolve(document as never, event as never, key);
      },
    };
    const loop = start([shy]);
    const move = { type: 'BoxMoved', data: { box: 'a', from: 'ada', to: 'bob' } };
    await readModels.reached(
      ['owners'],
      await append(store, filled('a', 1), filled('b', 2, 'bob'), move, filled('b', 3, 'bob')),
      TIMEOUT_MS,
    );
    expect(await documentsOf(readModels, 'owners')).toMatchObject({ ada: { boxes: {} }, bob: { boxes: { b: 2 } } });
    broken = false;
    await loop.retryParked('owners', 'bob');
    expect(await documentsOf(readModels, 'owners')).toEqual(await clean(owners));
  });

  it('keys that throw hold the stream back, since the documents are unknown; the retry rebuilds the model', async () => {
    const lost: AnyProjection = {
      ...boxes,
      keys: (event) => {
        if (isBad(event as unknown as ToyEvent)) throw new Error('Which box?');
        return boxes.keys(event as never);
      },
    };
    const loop = start([lost], 2);
    const position = await append(store, filled('a', 1), filled('a', BAD), filled('a', 2), filled('b', 4));
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1] }, b: { history: [4] } });
    expect(await readModels.parked()).toMatchObject([{ documentId: 'stream:box-a', error: 'Error: Which box?' }]);
    expect((await loop.retryParked('boxes')).stillParked).toMatchObject([{ documentId: 'stream:box-a' }]);
    broken = false;
    expect(await loop.retryParked('boxes')).toEqual({ retried: 1, stillParked: [] });
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
  });

  it.each([
    ['undefined', { owner: 'ada', items: 1 }],
    ['null', { box: null, owner: 'ada', items: 1 }],
    ['7', { box: 7, owner: 'ada', items: 1 }],
    ['""', { box: '', owner: 'ada', items: 1 }],
  ])('an event whose id is %s is parked with its stream, and blocks nothing else', async (id, data) => {
    start([boxes, tally]);
    const position = await append(store, filled('a', 1), { type: 'BoxFilled', data }, filled('b', 4));
    expect(await readModels.reached(['boxes', 'tally'], position, TIMEOUT_MS)).toBe(true);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [1] }, b: { history: [4] } });
    const stream = `stream:box-${'box' in data ? (data.box ?? 'none') : 'none'}`;
    expect(await readModels.parked()).toMatchObject([
      { model: 'boxes', documentId: stream, error: `keys returned ${id}, which is no document id` },
    ]);
  });

  it.each([
    ['what is no JSON', () => ({ items: 1n })],
    ['a list', () => []],
    ['nothing at all', () => undefined],
    ['a text', () => 'box'],
  ])('a document of %s is parked like any other failure', async (_, make) => {
    const odd: AnyProjection = {
      ...boxes,
      evolve: (document, event, key) =>
        isBad(event as unknown as ToyEvent) ? make() : boxes.evolve(document as never, event as never, key),
    };
    start([odd]);
    const position = await append(
      store,
      filled('a', 1),
      filled('b', BAD),
      filled('b', 1),
      filled('c', 3),
      filled('d', BAD),
    );
    expect(await readModels.reached(['boxes'], position, TIMEOUT_MS)).toBe(true);
    expect(Object.keys(await documentsOf(readModels, 'boxes'))).toEqual(['a', 'c']);
    expect((await readModels.parked()).map(({ documentId }) => documentId)).toEqual(['b', 'd']);
    broken = false;
    await running[0]?.retryParked('boxes');
    expect(await documentsOf(readModels, 'boxes')).toEqual(await clean(boxes));
  });

  it.each([1, 200])(
    'a deletion applies to a frozen document: deleted content must not outlive it (batches of %i)',
    async (batchSize) => {
      start([touchy], batchSize);
      const position = await append(
        store,
        filled('a', 1),
        filled('a', BAD),
        filled('a', 2),
        burned('a'),
        filled('b', 1),
      );
      await readModels.reached(['boxes'], position, TIMEOUT_MS);
      expect(Object.keys(await documentsOf(readModels, 'boxes'))).toEqual(['b']);
      expect(await readModels.parked()).toEqual([]);
      await readModels.reached(['boxes'], await append(store, filled('a', 7)), TIMEOUT_MS);
      expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { history: [7] } });
    },
  );
});
