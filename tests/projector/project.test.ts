/** The projection loop: batches, checkpoints, restarts, quiet periods, reading one's own writes, failing stores. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, type BoxDocument, boxes, burned, filled, moved, owners, TOYS, tally } from '../projections/toys.ts';

/** Long enough never to end a wait that should succeed. */
const TIMEOUT_MS = 20_000;
const MODELS = ['boxes', 'owners', 'tally'];

let store: EventStore;
let readModels: ReadModels;
let running: Projecting[];
beforeEach(() => {
  store = rawEventStore();
  readModels = memoryReadModels();
  running = [];
});
afterEach(async () => {
  await Promise.allSettled(running.map((each) => each.stop()));
  await readModels.close();
  await store.close();
});

function start(
  projections: readonly AnyProjection[] = TOYS,
  options: Parameters<typeof projecting>[3] & { readonly from?: EventStore; readonly into?: ReadModels } = {},
): Projecting {
  const { from = store, into = readModels, ...rest } = options;
  const loop = projecting(from, into, projections, rest);
  running.push(loop);
  return loop;
}

async function itemsOf(box: string): Promise<number | undefined> {
  return (await readModels.get<BoxDocument>('boxes', box))?.data.items;
}

describe('following the log', () => {
  it('is ready on an empty log, with every model served', async () => {
    await start().ready;
    for (const model of MODELS) expect(await readModels.serving(model)).toBe('v1');
    expect(await readModels.reached(MODELS, '0'.repeat(20), 0)).toBe(true);
  });

  it('reads for all models together, and tries again only when all have answered', async () => {
    await append(store, filled('a', 2));
    const asked: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Partial<ReadModels> = {
      states: async (model, ids, build) => {
        asked.push(model);
        if (asked.length > 1) await released;
        else throw new Error('The store is away.');
        return readModels.states(model, ids, build);
      },
    };
    const loop = start(TOYS, {
      into: Object.assign(Object.create(readModels) as ReadModels, slow),
      backoffMs: () => 1,
    });
    await vi.waitFor(() => expect([...asked].sort()).toEqual(MODELS));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(3);
    release();
    await loop.ready;
    expect(asked.length).toBeGreaterThan(3);
    expect(await itemsOf('a')).toBe(2);
  });

  it('folds existing events, then new ones, into every projection that handles them', async () => {
    await append(store, filled('a', 2), filled('b', 3, 'bob'), moved('a', 'ada', 'bob'));
    await start().ready;
    expect(await documentsOf(readModels, 'owners')).toMatchObject({
      ada: { boxes: {} },
      bob: { boxes: { a: 0, b: 3 } },
    });
    const position = await append(store, filled('a', 5), burned('b', 'bob'));
    expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { items: 7, owner: 'bob', history: [2, 5] } });
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 3 }, BoxBurned: { count: 1 } });
  });

  it('lets a writer read its own writes, 500 times', async () => {
    await start().ready;
    for (let count = 1; count <= 500; count++) {
      const position = await append(store, filled('a', 1));
      expect(await readModels.reached(['boxes'], position, TIMEOUT_MS)).toBe(true);
      expect(await itemsOf('a')).toBe(count);
    }
  });

  it('skips unknown types, and its checkpoint passes them', async () => {
    const loop = start();
    await loop.ready;
    await append(store, filled('a', 1));
    const alone = await append(store, { type: 'BoxPainted', data: { box: 'a' } });
    expect(await readModels.reached(MODELS, alone, TIMEOUT_MS)).toBe(true);
    const event = (n: number, type: string, data: object) => ({
      id: `00000000-0000-4000-9000-00000000000${n}`,
      type,
      data,
      metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    });
    // In one append, the unknown one last.
    const { position } = await store.append(
      'box-a',
      [event(1, 'BoxFilled', { box: 'a', owner: 'ada', items: 4 }), event(2, 'BoxPainted', { box: 'a' })],
      {
        expected: 'any',
      },
    );
    expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
    expect(await itemsOf('a')).toBe(5);
    expect((await loop.lag()).behind).toBe(0);
  });

  it('continues after its checkpoint when restarted: no event twice', async () => {
    const seen: string[] = [];
    const recording: AnyProjection['evolve'] = (document, event, key) => {
      seen.push(event.position);
      return boxes.evolve(document, event, key);
    };
    const watched: AnyProjection = { ...boxes, evolve: recording };
    const first = start([watched, tally], { batchSize: 2 });
    await readModels.reached(
      ['boxes'],
      await append(store, filled('a', 1), filled('b', 2), filled('a', 3)),
      TIMEOUT_MS,
    );
    await first.stop();
    await append(store, filled('a', 4), filled('c', 5));
    await start([watched, tally], { batchSize: 2 }).ready;
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(5);
    expect(await itemsOf('a')).toBe(8);
  });

  it('starts a new projection from the beginning while the others stay where they are', async () => {
    const first = start([boxes]);
    await readModels.reached(['boxes'], await append(store, filled('a', 1), filled('a', 2)), TIMEOUT_MS);
    await first.stop();
    let again = 0;
    const counted: AnyProjection = {
      ...boxes,
      evolve: (document, event, key) => {
        again += 1;
        return boxes.evolve(document, event, key);
      },
    };
    await start([counted, tally]).ready;
    expect(again).toBe(0);
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 2 } });
  });

  it('feeds projections at different positions from one subscription: each gets only new events', async () => {
    const together = start([boxes, tally]);
    await readModels.reached(['boxes', 'tally'], await append(store, filled('a', 1), filled('b', 2)), TIMEOUT_MS);
    await together.stop();
    const alone = start([boxes]);
    await readModels.reached(['boxes'], await append(store, filled('a', 3), filled('b', 4)), TIMEOUT_MS);
    await alone.stop();
    // In one batch with earlier events of boxes.
    await append(store, filled('a', 5));
    const again = start([boxes, tally]);
    await again.ready;
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 5 } });
    expect(await itemsOf('a')).toBe(9);
    expect((await again.lag()).skipped).toBe(0);
  });

  it('reports its lag', async () => {
    const loop = start([boxes], { onProgress: () => undefined });
    await loop.ready;
    expect(await loop.lag()).toMatchObject({
      behind: 0,
      ageMs: 0,
      parked: 0,
      models: { boxes: { build: 'v1', behind: 0, rebuilding: null } },
    });
    const position = await append(store, filled('a', 1));
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    await loop.stop();
    await append(store, { type: 'BoxPainted', data: { box: 'a' } });
    // No handled event is waiting, so there is no lag.
    expect(await loop.lag()).toMatchObject({ behind: 1, ageMs: 0 });
    await append(store, filled('a', 3), filled('a', 4));
    expect(await loop.lag()).toMatchObject({
      behind: 3,
      ageMs: 60_000,
      models: { boxes: { checkpoint: position, behind: 3 } },
    });
  });

  it('ends by its signal in the middle of a long catch-up, and keeps its progress', async () => {
    await append(store, ...Array.from({ length: 60 }, (_, n) => filled(`b${n % 5}`, 1)));
    let batches = 0;
    const loop = start([boxes], {
      batchSize: 5,
      onProgress: () => {
        batches += 1;
        if (batches === 3) void loop.stop();
      },
    });
    await loop.done;
    await expect(loop.ready).rejects.toThrow(/stopped before/);
    expect(batches).toBe(3);
    expect(await readModels.serving('boxes')).toBeNull();
    expect(Number(await readModels.checkpoint('boxes', 'v1'))).toBe(15);
    // The unfinished build is continued, not restarted.
    let applied = 0;
    await start([boxes], { onProgress: ({ events }) => (applied += events) }).ready;
    expect(applied).toBe(45);
    expect(await itemsOf('b0')).toBe(12);
  });

  it('refuses two projections of one name', () => {
    expect(() => start([boxes, { ...tally, name: 'boxes' }])).toThrow(/same name/);
  });
});

describe('failing stores', () => {
  /** The real store, with every `every`th call of these methods failing first. */
  function failing<T extends object>(
    real: T,
    methods: readonly (keyof T)[],
    every: number,
  ): { readonly store: T; readonly failures: () => number } {
    let calls = 0;
    let failures = 0;
    const store = new Proxy(real, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || !methods.includes(name as keyof T)) return value;
        return (...values: unknown[]) => {
          calls += 1;
          if (calls % every !== 0) return value.apply(target, values) as unknown;
          failures += 1;
          return Promise.reject(Object.assign(new Error('The disk is busy.'), { code: 'STORE_UNAVAILABLE' }));
        };
      },
    });
    return { store, failures: () => failures };
  }

  it('read models that fail occasionally: everything arrives, once', async () => {
    const flaky = failing(readModels, ['commit', 'states', 'serve', 'prepare', 'parked', 'checkpoint'], 6);
    await append(store, ...Array.from({ length: 40 }, (_, n) => filled(`b${n % 7}`, 1)));
    const loop = start(TOYS, { into: flaky.store, batchSize: 6 });
    await loop.ready;
    const position = await append(store, ...Array.from({ length: 40 }, (_, n) => filled(`b${n % 7}`, 1)));
    expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
    expect(flaky.failures()).toBeGreaterThan(5);
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 80 } });
    expect(await itemsOf('b0')).toBe(12);
    expect(loop.logged.some(({ level, message }) => level === 'error' && /try again/.test(message))).toBe(true);
  });

  it('an event store that fails occasionally, and subscriptions that break: everything arrives, once', async () => {
    let broken = 0;
    const flaky = failing(store, ['readAll', 'head'], 2);
    const breaking = new Proxy(flaky.store, {
      get(target, name) {
        if (name !== 'subscribe') return Reflect.get(target, name) as unknown;
        return async function* subscribe(options: Parameters<EventStore['subscribe']>[0]) {
          let messages = 0;
          for await (const message of target.subscribe(options)) {
            if (++messages === 3) {
              broken += 1;
              throw new Error('The connection broke.');
            }
            yield message;
          }
        };
      },
    });
    await append(store, ...Array.from({ length: 30 }, (_, n) => filled(`b${n % 7}`, 1)));
    const loop = start(TOYS, { from: breaking, batchSize: 6 });
    await loop.ready;
    const position = await append(store, ...Array.from({ length: 30 }, (_, n) => filled(`b${n % 7}`, 1)));
    expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
    expect(broken).toBeGreaterThan(2);
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 60 } });
  });

  it('waits longer after each failure, and starts over after a success', async () => {
    let away = true;
    const attempts: number[] = [];
    const absent = new Proxy(store, {
      get(target, name) {
        if (name === 'head' && away) return () => Promise.reject(new Error('Away.'));
        return Reflect.get(target, name) as unknown;
      },
    });
    const loop = start([boxes], {
      from: absent,
      backoffMs: (attempt) => {
        attempts.push(attempt);
        if (attempt === 4) away = false;
        return 0;
      },
    });
    await loop.ready;
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('ends with the reason when a store was closed under it', async () => {
    const loop = start();
    await loop.ready;
    await readModels.close();
    await append(store, filled('a', 1));
    await expect(loop.done).rejects.toMatchObject({ code: 'READ_MODELS_CLOSED' });
  });

  it('a read model ahead of the log is rebuilt, and reported', async () => {
    const first = start();
    await readModels.reached(
      MODELS,
      await append(store, filled('a', 1), filled('gone', 2), filled('a', 3)),
      TIMEOUT_MS,
    );
    await first.stop();
    const replaced = rawEventStore();
    await append(replaced, filled('a', 10));
    const loop = start([boxes, owners], { from: replaced });
    await loop.ready;
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ a: { items: 10 } });
    expect(await readModels.get('boxes', 'gone')).toBeNull();
    expect(loop.logged.filter(({ level }) => level === 'warn')).toMatchObject([
      { details: { model: 'boxes' }, message: expect.stringMatching(/ahead of the event log/) },
      { details: { model: 'owners' } },
    ]);
    await replaced.close();
  });

  it.each([
    ['as they are', [boxes, owners], {}],
    ['of an earlier version', [{ ...boxes, version: boxes.version + 1 }, owners], {}],
    ['to be rebuilt', [boxes, owners], { fromZero: true }],
  ] as const)('read models are never dropped for an empty log: %s', async (_, projections, options) => {
    const first = start();
    await readModels.reached(MODELS, await append(store, filled('a', 1), filled('b', 2)), TIMEOUT_MS);
    await first.stop();
    const before = await documentsOf(readModels, 'boxes');
    const empty = rawEventStore();
    const attempts: number[] = [];
    const failed = new Promise<void>((resolve) => {
      const backoffMs = (attempt: number) => {
        attempts.push(attempt);
        if (attempt === 3) resolve();
        return 0;
      };
      start(projections, { from: empty, backoffMs, ...options });
    });
    await failed;
    expect(await documentsOf(readModels, 'boxes')).toEqual(before);
    expect(await readModels.serving('boxes')).toBe(`v${boxes.version}`);
  });

  it('an unfinished build ahead of the log is restarted', async () => {
    await readModels.prepare(boxes, 'v1');
    const position = '0'.repeat(18) + 50;
    await readModels.commit([
      { model: 'boxes', build: 'v1', checkpoint: position, writes: [{ id: 'ghost', position, data: { items: 1 } }] },
    ]);
    await append(store, filled('a', 1));
    await start([boxes]).ready;
    expect(Object.keys(await documentsOf(readModels, 'boxes'))).toEqual(['a']);
  });
});
