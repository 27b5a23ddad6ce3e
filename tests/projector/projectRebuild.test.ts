/** Builds beside the serving ones: new versions, rebuilds, several at once, and readers who notice nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, Position } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { type Projecting, projecting, withLatePage } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, type BoxDocument, boxes, filled, moved, TOYS, tally } from '../projections/toys.ts';

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

/** Each commit takes a round of the event loop, as in a database. */
const inRounds = (models: ReadModels): ReadModels => ({
  ...models,
  commit: async (...given) => {
    await new Promise(setImmediate);
    return models.commit(...given);
  },
});

function start(projections: readonly AnyProjection[], options: Parameters<typeof projecting>[3] = {}): Projecting {
  const loop = projecting(store, inRounds(readModels), projections, options);
  running.push(loop);
  return loop;
}

const history = (count: number, owner = 'ada') =>
  Array.from({ length: count }, (_, n) => filled(`b${n % 9}`, 1, owner));

/** Doubles its counts, to distinguish builds. */
const doubled: AnyProjection = {
  ...boxes,
  version: 2,
  evolve: (document: BoxDocument | null, event, key) => {
    const data =
      event.type === 'BoxFilled' ? { ...event.data, items: (event.data as { items: number }).items * 2 } : event.data;
    return boxes.evolve(document, { ...event, data } as never, key);
  },
};

describe('a new version', () => {
  it('is filled beside the old one, which serves until the switch, and is removed after it', async () => {
    const first = start([boxes, tally]);
    await readModels.reached(['boxes'], await append(store, ...history(90)), TIMEOUT_MS);
    await first.stop();
    const served: (string | null)[] = [];
    const items: number[] = [];
    const second = start([doubled, tally], {
      batchSize: 10,
      onProgress: () => {
        void readModels.serving('boxes').then((build) => served.push(build));
        void readModels.get<BoxDocument>('boxes', 'b0').then((document) => items.push(document?.data.items ?? -1));
      },
    });
    await second.ready;
    expect(new Set(served.slice(0, 8))).toEqual(new Set(['v1']));
    expect(new Set(items)).toEqual(new Set(items.includes(20) ? [10, 20] : [10]));
    expect(await readModels.serving('boxes')).toBe('v2');
    expect(await readModels.checkpoint('boxes', 'v1')).toBeNull();
    expect((await readModels.get<BoxDocument>('boxes', 'b0'))?.data.items).toBe(20);
    expect(await readModels.serving('tally')).toBe('v1');
  });

  it('is continued where it was after an interruption', async () => {
    const first = start([boxes]);
    await readModels.reached(['boxes'], await append(store, ...history(60)), TIMEOUT_MS);
    await first.stop();
    const second = start([doubled], {
      batchSize: 10,
      onProgress: ({ position }) => Number(position) >= 30 && void second.stop(),
    });
    await second.done;
    expect(await readModels.serving('boxes')).toBe('v1');
    let events = 0;
    await start([doubled], { batchSize: 10, onProgress: (progress) => (events += progress.events) }).ready;
    expect(events).toBe(30);
    expect((await readModels.get<BoxDocument>('boxes', 'b0'))?.data.items).toBe(14);
  });
});

describe('a rebuild', () => {
  it('while events are appended: reads never fail or find nothing, and the result equals a clean pass', async () => {
    const loop = start(TOYS, { batchSize: 20 });
    await readModels.reached(MODELS, await append(store, ...history(200)), TIMEOUT_MS);
    let rebuilding = true;
    let reads = 0;
    const reader = async () => {
      while (rebuilding) {
        expect((await readModels.find('boxes', { where: { owner: 'ada' }, limit: 100 })).documents).toHaveLength(9);
        expect((await readModels.get<{ count: number }>('tally', 'BoxFilled'))?.data.count).toBeGreaterThanOrEqual(200);
        reads += 1;
        await new Promise(setImmediate);
      }
    };
    let position: Position = '';
    const writer = async () => {
      while (rebuilding) {
        position = await append(store, ...history(9), moved('b1', 'ada', 'ada'));
        expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
        await new Promise(setImmediate);
      }
    };
    const work = [reader(), writer()];
    await loop.rebuild();
    rebuilding = false;
    await Promise.all(work);
    expect(reads).toBeGreaterThan(3);
    expect(await Promise.all(MODELS.map((model) => readModels.serving(model)))).toEqual(['v1r1', 'v1r1', 'v1r1']);
    await readModels.reached(MODELS, await append(store, filled('b0', 5)), TIMEOUT_MS);
    const clean = memoryReadModels();
    const pass = projecting(store, clean, TOYS);
    await pass.ready;
    for (const model of MODELS) expect(await documentsOf(readModels, model)).toEqual(await documentsOf(clean, model));
    await pass.stop();
    await clean.close();
  });

  it('overtaken while it read the last page catches up before it takes over', async () => {
    const first = start([boxes]);
    await readModels.reached(['boxes'], await append(store, ...history(20)), TIMEOUT_MS);
    await first.stop();
    const late = withLatePage(store, async () =>
      readModels.reached(['boxes'], await append(store, filled('b0', 100), filled('late', 1)), TIMEOUT_MS),
    );
    const loop = projecting(late, readModels, [boxes]);
    running.push(loop);
    await loop.ready;
    expect(late.happened()).toBe(false);
    await loop.rebuild();
    expect(late.happened()).toBe(true);
    expect(await readModels.serving('boxes')).toBe('v1r1');
    expect((await readModels.get<BoxDocument>('boxes', 'b0'))?.data.items).toBe(103);
    expect(await readModels.get('boxes', 'late')).not.toBeNull();
  });

  it('positions that readers wait for never go back at the switch', async () => {
    const loop = start([boxes, tally], { batchSize: 5 });
    const position = await append(store, ...history(50));
    await readModels.reached(['boxes', 'tally'], position, TIMEOUT_MS);
    const seen: Position[] = [];
    const done = loop.rebuild(['boxes']);
    for (let n = 0; n < 30; n++) {
      const build = await readModels.serving('boxes');
      seen.push((build && (await readModels.checkpoint('boxes', build))) ?? '');
      await new Promise(setImmediate);
    }
    await done;
    expect(seen).toEqual([...seen].sort());
    expect(seen[0]).toBe(position);
  });

  it('two at once do not disturb each other, a repeated request is one, and an unknown model is refused', async () => {
    const loop = start(TOYS, { batchSize: 7 });
    await readModels.reached(MODELS, await append(store, ...history(80)), TIMEOUT_MS);
    const before = await documentsOf(readModels, 'boxes');
    const both = [loop.rebuild(['boxes']), loop.rebuild(['owners']), loop.rebuild(['boxes', 'tally'])];
    await append(store, filled('late', 1));
    await Promise.all(both);
    expect(await readModels.serving('boxes')).toBe('v1r1');
    expect(await readModels.serving('owners')).toBe('v1r1');
    expect(await readModels.serving('tally')).toBe('v1r1');
    await readModels.reached(MODELS, await append(store, filled('last', 1)), TIMEOUT_MS);
    expect(await documentsOf(readModels, 'boxes')).toMatchObject({ ...before, late: { items: 1 }, last: { items: 1 } });
    expect(await documentsOf(readModels, 'tally')).toMatchObject({ BoxFilled: { count: 82 } });
    await expect(loop.rebuild(['cellars'])).rejects.toThrow(/no projection cellars/);
  });

  it('repeated gives builds of their own names, and the next start continues with the last', async () => {
    const loop = start([boxes]);
    await append(store, ...history(10));
    await loop.ready;
    await loop.rebuild();
    await loop.rebuild();
    expect(await readModels.serving('boxes')).toBe('v1r2');
    await loop.stop();
    let events = 0;
    await start([boxes], { onProgress: (progress) => (events += progress.events) }).ready;
    expect(events).toBe(0);
    expect(await readModels.serving('boxes')).toBe('v1r2');
  });

  it('interrupted, it leaves the serving build as it was, and nothing else', async () => {
    const loop = start([boxes], { batchSize: 5 });
    const position = await append(store, ...history(100));
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    const rebuild = loop.rebuild();
    const refused = expect(rebuild).rejects.toThrow(/stopped before/);
    await new Promise(setImmediate);
    await loop.stop();
    await refused;
    expect(await readModels.serving('boxes')).toBe('v1');
    await start([boxes]).ready;
    expect(await readModels.checkpoint('boxes', 'v1r1')).toBeNull();
    expect(await readModels.checkpoint('boxes', 'v1')).toBe(position);
  });

  it('retries errors of a build, and the lag shows its progress', async () => {
    const loop = start([boxes, tally], { batchSize: 4 });
    const position = await append(store, ...history(40));
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    await readModels.commit([
      {
        model: 'boxes',
        build: 'v1',
        checkpoint: position,
        writes: [{ id: 'ghost', position, data: { owner: 'ada' } }],
      },
    ]);
    const rebuild = loop.rebuild(['boxes']);
    await new Promise(setImmediate);
    expect((await loop.lag()).models.boxes).toMatchObject({ build: 'v1', behind: 0, rebuilding: { build: 'v1r1' } });
    await rebuild;
    expect(await readModels.get('boxes', 'ghost')).toBeNull();
    expect((await loop.lag()).models.boxes).toMatchObject({ build: 'v1r1', behind: 0, rebuilding: null });
  });

  it('from zero at the start fills every model again, whatever serves', async () => {
    const first = start(TOYS);
    await readModels.reached(MODELS, await append(store, ...history(30)), TIMEOUT_MS);
    await first.stop();
    let events = 0;
    await start(TOYS, { fromZero: true, onProgress: (progress) => (events += progress.events) }).ready;
    expect(events).toBe(30);
    expect(await readModels.serving('boxes')).toBe('v1r1');
  });

  it('is filled once every model serves, even where the log never lets it catch up', async () => {
    const head = await append(store, ...history(30));
    // A subscription begins, and never reports that it caught up.
    const busy: EventStore = {
      ...store,
      subscribe: async function* ({ signal } = {}) {
        yield* await unending(signal);
      },
    };
    const loop = projecting(busy, readModels, TOYS, { fromZero: true });
    running.push(loop);
    await loop.filled;
    expect(await Promise.all(MODELS.map(async (model) => readModels.checkpoint(model, 'v1')))).toEqual(
      MODELS.map(() => head),
    );
    expect(await Promise.all(MODELS.map(async (model) => readModels.serving(model)))).toEqual(MODELS.map(() => 'v1'));
    await loop.stop();
    await expect(loop.ready).rejects.toThrow('stopped before they had caught up');
  });
});

/** Resolves, with nothing, when the signal aborts. */
const unending = (signal: AbortSignal | undefined): Promise<readonly never[]> =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve([]), { once: true }));

describe('watchers and the loop', () => {
  it('receive every change in order, through a rebuild and its switch', async () => {
    const loop = start([boxes], { batchSize: 10 });
    await loop.ready;
    const stop = new AbortController();
    const seen: Position[] = [];
    const last = new Map<string, object | null>();
    const follower = (async () => {
      for await (const change of readModels.watch({ models: ['boxes'], after: '0'.repeat(20), signal: stop.signal })) {
        seen.push(change.position);
        last.set(change.id, change.data);
      }
    })();
    await append(store, ...history(100));
    const rebuild = loop.rebuild();
    const position = await append(store, ...history(100));
    await rebuild;
    await readModels.reached(['boxes'], position, TIMEOUT_MS);
    await new Promise(setImmediate);
    stop.abort();
    await follower;
    expect(seen).toEqual([...seen].sort());
    const documents = await readModels.find('boxes', { limit: 100 });
    expect(Object.fromEntries(last)).toEqual(Object.fromEntries(documents.documents.map(({ id, data }) => [id, data])));
  });
});
