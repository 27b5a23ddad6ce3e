/** The projecting process handles retries of parked documents, whenever they were requested. */
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryParked } from '../../src/commands/work/retryParked.ts';
import { retryWork } from '../../src/commands/work/retryWork.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { followParkedRetries, PARKED_RETRIES_MARK } from '../../src/projector/parkedRetries.ts';
import { sleep } from '../../src/start/sleep.ts';
import { operatorContext } from '../../src/work/operate.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

let broken: boolean;
let store: ReturnType<typeof memoryEventStore>;
let readModels: ReturnType<typeof memoryReadModels>;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  broken = true;
  store = memoryEventStore();
  readModels = memoryReadModels();
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await readModels.close();
  await store.close();
});

/** Fails on a request for work until it is fixed. */
const touchy: AnyProjection = {
  name: 'wishes',
  version: 1,
  indexes: [],
  handles: ['WorkRetryAsked'],
  keys: (event) => [event.data.itemId],
  evolve: (document, event) => {
    if (broken) throw new RangeError('No such kind.');
    return { times: (document?.times ?? 0) + 1, kind: event.data.kind };
  },
};

async function project() {
  const loop = projecting(store, readModels, [touchy]);
  const ending = new AbortController();
  const following = followParkedRetries({
    projections: loop,
    store,
    marks: readModels.marks,
    signal: ending.signal,
    sleep,
    log: pino({ level: 'silent' }),
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    await loop.stop();
    await following;
  };
  stops.push(stop);
  await loop.ready;
  return { loop, stop };
}

const wish = async (itemId: string) => {
  const { position } = await retryWork(operatorContext(store), { kind: 'audit', itemId });
  await readModels.reached(['wishes'], position, 5_000);
};
const ask = (documentId: string) => retryParked(operatorContext(store), { model: 'wishes', documentId });

describe('a parked document', () => {
  it('is retried when an operator asks, and its document is complete', async () => {
    await project();
    await wish('a');
    await wish('a');
    await wish('b');
    expect((await readModels.parked()).map(({ documentId }) => documentId).sort()).toEqual(['a', 'b']);
    broken = false;
    await ask('a');
    await expect.poll(async () => (await readModels.parked()).map(({ documentId }) => documentId)).toEqual(['b']);
    expect((await readModels.get('wishes', 'a'))?.data).toEqual({ times: 2, kind: 'audit' });
  });

  it('requested while nobody projected is retried by the next projector', async () => {
    const { stop } = await project();
    await wish('a');
    await stop();
    await ask('a');
    broken = false;
    await project();
    await expect.poll(() => readModels.parked()).toEqual([]);
  });

  it('stays parked while it still fails, and a request that cannot be retried blocks nothing', async () => {
    await project();
    await wish('a');
    const [before] = await readModels.parked();
    await retryParked(operatorContext(store), { model: 'gone', documentId: 'x' });
    const { position } = await ask('a');
    await expect.poll(() => readModels.marks.read(PARKED_RETRIES_MARK)).toBe(position);
    expect(await readModels.parked()).toMatchObject([{ documentId: 'a', error: before?.error }]);
  });
});
