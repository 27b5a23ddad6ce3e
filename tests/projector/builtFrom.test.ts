/**
 * A log of the same installation but with another history: what was built from the other one is noticed and built
 * again, and nothing else is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type ReadAllOptions, START } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { wholeLog } from '../contract/eventStoreHarness.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, boxes, filled, owners, TOYS, tally } from '../projections/toys.ts';
import { describeOnMongo, type MongoCase } from '../readModels/mongo/mongoServers.ts';

const FOREIGN = /built from another event log/;
const AHEAD = /ahead of the event log/;
const DOUBTFUL = /does not fit the event log/;
/** Of a type that no toy handles. */
const painted = (box: string) => ({ type: 'BoxPainted', data: { box } });

let opened: EventStore[];
beforeEach(() => {
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
});

function emptyLog(): EventStore {
  const store = rawEventStore();
  opened.push(store);
  return store;
}

async function copyOf(store: EventStore): Promise<EventStore> {
  const copy = emptyLog();
  for (const { stream, id, type, data, metadata } of await wholeLog(store))
    await copy.append(stream, [{ id, type, data, metadata }], { expected: 'any' });
  return copy;
}

const warnings = ({ logged }: Projecting): readonly string[] =>
  logged.filter(({ level }) => level === 'warn').map(({ message }) => message);

/** Runs the projections until they have caught up; returns their warnings. */
async function run(
  store: EventStore,
  readModels: ReadModels,
  projections: readonly AnyProjection[] = TOYS,
  options: Parameters<typeof projecting>[3] = {},
) {
  const loop = projecting(store, readModels, projections, options);
  await loop.ready;
  await loop.stop();
  return warnings(loop);
}

async function expectBuiltFrom(store: EventStore, readModels: ReadModels): Promise<void> {
  const clean = memoryReadModels();
  await run(store, clean);
  for (const { name } of TOYS)
    expect(await documentsOf(readModels, name), name).toEqual(await documentsOf(clean, name));
  await clean.close();
}

function cases(open: () => Promise<ReadModels>): void {
  let readModels: ReadModels;
  beforeEach(async () => {
    readModels = await open();
  });

  it('a longer copy that went on by itself: every model is built again, is reported, and serves nothing of the other meanwhile', async () => {
    const ours = emptyLog();
    await append(ours, filled('a', 1), filled('b', 1));
    const theirs = await copyOf(ours);
    await append(ours, filled('mine', 1), filled('a', 2));
    await append(theirs, filled('yours', 1), filled('b', 5), filled('c', 1), filled('d', 1));
    expect(await run(ours, readModels)).toEqual([]);
    const meanwhile: Promise<unknown>[] = [];
    const said = await run(theirs, readModels, TOYS, {
      batchSize: 1,
      onProgress: () => void meanwhile.push(readModels.get('boxes', 'mine')),
    });
    expect(said).toEqual(TOYS.map(() => expect.stringMatching(FOREIGN)));
    expect(meanwhile.length).toBeGreaterThan(3);
    expect(new Set(await Promise.all(meanwhile))).toEqual(new Set([null]));
    await expectBuiltFrom(theirs, readModels);
    // Once.
    expect(await run(theirs, readModels)).toEqual([]);
  });

  it('what an older copy of the log is brought to after it was restored, where the stop came before the models were built again', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1));
    const backup = await copyOf(log);
    await append(log, filled('gone', 1), filled('gone', 2));
    await run(log, readModels);
    const stopped = projecting(backup, readModels, TOYS, { signal: AbortSignal.abort() });
    await stopped.done;
    await append(backup, filled('b', 1), filled('b', 2), filled('b', 3));
    expect(await run(backup, readModels)).toEqual(TOYS.map(() => expect.stringMatching(FOREIGN)));
    await expectBuiltFrom(backup, readModels);
  });

  it('an unfinished build is begun again, too', async () => {
    const ours = emptyLog();
    await append(ours, filled('a', 1));
    const theirs = await copyOf(ours);
    await append(ours, ...Array.from({ length: 20 }, () => filled('mine', 1)));
    const stopping = new AbortController();
    await projecting(ours, readModels, TOYS, {
      batchSize: 2,
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    }).done;
    const unfinished = await readModels.checkpoint('boxes', 'v1');
    expect(unfinished).not.toBeNull();
    await append(theirs, ...Array.from({ length: 30 }, () => filled('yours', 1)));
    await run(theirs, readModels);
    await expectBuiltFrom(theirs, readModels);
  });

  it('an older copy is built again as before, and the same log is not', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1), painted('a'));
    const backup = await copyOf(log);
    await append(log, filled('b', 1));
    await run(log, readModels);
    expect(await run(log, readModels)).toEqual([]);
    await append(log, painted('a'), filled('c', 1), painted('c'));
    expect(await run(log, readModels)).toEqual([]);
    expect(await run(log, readModels)).toEqual([]);
    expect(await run(backup, readModels)).toEqual(TOYS.map(() => expect.stringMatching(AHEAD)));
    await expectBuiltFrom(backup, readModels);
  });
}

describe('read models of another copy of the log, in SQLite', () => {
  let readModels: ReadModels;
  afterEach(() => readModels.close());
  cases(async () => {
    readModels = memoryReadModels();
    return readModels;
  });
});

describeOnMongo('read models of another copy of the log, in MongoDB', (newCase) => {
  let mongo: MongoCase;
  beforeEach(() => {
    mongo = newCase();
  });
  afterEach(() => mongo.dispose());
  cases(() => mongo.open());
});

it('an interrupted removal in SQLite leaves nothing that is served later', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'built-from-'));
  const file = join(dir, 'readModels.db');
  const [ours, theirs] = [emptyLog(), emptyLog()];
  await append(ours, filled('mine', 1));
  await append(theirs, filled('yours', 1), filled('yours', 2));
  const before = openSqliteReadModels({ file });
  await run(ours, before);
  await before.close();
  // What the removal does first.
  const db = new Database(file);
  db.exec('UPDATE builds SET checkpoint = NULL, lastEvent = NULL, serving = 0');
  db.close();
  const readModels = openSqliteReadModels({ file });
  await run(theirs, readModels);
  await expectBuiltFrom(theirs, readModels);
  await readModels.close();
  rmSync(dir, { recursive: true });
});

describe('what is asked of the log', () => {
  let readModels: ReadModels;
  beforeEach(() => {
    readModels = memoryReadModels();
  });
  afterEach(() => readModels.close());

  /** `asked`: reads made before the first event or build is read. */
  function counted(store: EventStore): { readonly store: EventStore; readonly asked: string[] } {
    const asked: string[] = [];
    const read: EventStore['read'] = (stream, options) => {
      asked.push(`read ${stream}`);
      return store.read(stream, options);
    };
    const readAll = (options?: ReadAllOptions) => {
      asked.push('readAll');
      return store.readAll(options);
    };
    return { store: { ...store, read, readAll }, asked };
  }

  it('one event for all models at one checkpoint', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1), filled('b', 1));
    await run(log, readModels);
    const { store, asked } = counted(log);
    expect(await run(store, readModels)).toEqual([]);
    expect(asked).toEqual(['read box-b']);
  });

  it('nothing about models from before events were named, which are accepted by their position', async () => {
    const log = emptyLog();
    const position = await append(log, filled('a', 1));
    await readModels.prepare(boxes, 'v1');
    await readModels.commit([
      { model: 'boxes', build: 'v1', checkpoint: position, writes: [{ id: 'kept', position, data: { box: 'kept' } }] },
    ]);
    await readModels.serve('boxes', 'v1');
    const { store, asked } = counted(log);
    expect(await run(store, readModels, [boxes])).toEqual([]);
    expect(asked).toEqual([]);
    expect(await readModels.get('boxes', 'kept')).not.toBeNull();
    expect(await readModels.lastEvent('boxes', 'v1')).toBeNull();
    await append(log, filled('b', 1));
    await run(log, readModels, [boxes]);
    expect(await readModels.lastEvent('boxes', 'v1')).toMatch(/ box-b$/);
  });

  it('a model that differs only in what it has missed is built again, and those that do not handle it are not', async () => {
    const ours = emptyLog();
    await append(ours, filled('a', 1));
    const theirs = await copyOf(ours);
    await append(ours, painted('a'), painted('a'), painted('a'));
    await append(theirs, filled('missed', 1), { type: 'BoxBurned', data: { box: 'a', owner: 'ada' } }, painted('a'));
    await run(ours, readModels);
    expect(await run(theirs, readModels)).toEqual(TOYS.map(() => expect.stringMatching(DOUBTFUL)));
    await expectBuiltFrom(theirs, readModels);
    const third = await copyOf(theirs);
    await append(theirs, painted('b'), painted('b'));
    await append(third, { type: 'BoxBurned', data: { box: 'missed', owner: 'ada' } });
    await append(third, painted('b'));
    await run(theirs, readModels);
    expect(await run(third, readModels)).toHaveLength([boxes, tally].length);
    expect(owners.handles).not.toContain('BoxBurned');
    await expectBuiltFrom(third, readModels);
  });

  it('a model that was filled before its first event', async () => {
    const ours = emptyLog();
    const theirs = emptyLog();
    await append(ours, painted('a'), painted('a'));
    await append(theirs, filled('missed', 1), painted('a'), painted('a'));
    await run(ours, readModels);
    expect(await readModels.lastEvent('boxes', 'v1')).toBe(START);
    expect(await run(theirs, readModels)).toEqual(TOYS.map(() => expect.stringMatching(DOUBTFUL)));
    await expectBuiltFrom(theirs, readModels);
  });

  it('events that only a later version of another projection handles do not count', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1), painted('a'));
    await run(log, readModels);
    const paints: AnyProjection = { ...tally, name: 'paints', handles: ['BoxPainted'] };
    expect(await run(log, readModels, [...TOYS, paints])).toEqual([]);
    expect(await run(log, readModels, [...TOYS, paints])).toEqual([]);
  });

  it('an event whose stream was deleted since, as at every deletion', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1), filled('erased', 1));
    await run(log, readModels);
    await log.delete('box-erased');
    expect(await run(log, readModels)).toEqual([]);
  });

  it('an event whose stream was truncated since, as with those that keep their last event', async () => {
    const log = emptyLog();
    await append(log, filled('a', 1), filled('erased', 1));
    await run(log, readModels);
    await append(log, { type: 'BoxPainted', data: { box: 'erased' } });
    await log.truncate('box-erased', 1n);
    expect(await run(log, readModels)).toEqual([]);
  });

  it('a stream of any name', async () => {
    const log = emptyLog();
    const event = {
      id: '00000000-0000-4000-8000-aaaaaaaaaaaa',
      ...filled('a', 1),
      metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    };
    await log.append('a stream, with spaces', [event], { expected: 'no_stream' });
    await run(log, readModels);
    expect(await run(log, readModels)).toEqual([]);
  });
});
