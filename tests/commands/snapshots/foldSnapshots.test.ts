/** The first command after a start continues from a snapshot, and never from one of another history. */

import { describe, expect, it } from 'vitest';
import { derivedId } from '../../../src/commands/derivedId.ts';
import { handle, loadHistory, loadState } from '../../../src/commands/handle.ts';
import { billForm } from '../../../src/commands/snapshots/billForm.ts';
import { spanOf } from '../../../src/commands/snapshots/span.ts';
import { analysisOf } from '../../../src/domain/billing/billing.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import type { EventStore, NewEvent } from '../../../src/eventStore/eventStore.ts';
import { type Snapshot, type Snapshots, snapshotPosition } from '../../../src/readModels/snapshots.ts';
import { BUYER } from '../../given/billing/facts.ts';
import { countingReads, product } from '../../given/commands.ts';
import { memoryEventStore, rawEventStore } from '../../given/stores/eventStore.ts';
import { diary, noted } from '../../given/stores/foldToy.ts';
import { diaryForm, startedOn } from '../../given/stores/keptSnapshots.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const STREAM = 'diary-1';
const PLACE = { name: 'diary', key: STREAM };
const kept = { ...diary, keptFrom: 1 };
const notes = (count: number, from = 0): readonly NewEvent[] =>
  Array.from({ length: count }, (_, nth) => noted(`note ${from + nth}`));
const note = (text: string) => ({ type: 'Note', text }) as const;

/** A stream of that many notes, and a snapshot of all of them. */
async function snapped(count: number, log: EventStore = rawEventStore()) {
  const { snapshots } = memoryReadModels();
  await log.append(STREAM, notes(count), { expected: 'any' });
  const first = startedOn(log, { snapshots });
  await loadState(first.store, kept, STREAM);
  await first.settled();
  return { log, snapshots };
}

async function whole(log: EventStore): Promise<object> {
  const { events: _, ...loaded } = await loadHistory(log, diary, STREAM);
  return loaded;
}

/** One load in a new process: how many events it read. */
async function readBy(log: EventStore, snapshots: Snapshots): Promise<number> {
  const counting = countingReads(log);
  const { store, settled } = startedOn(counting.store, { snapshots });
  expect(await loadState(store, kept, STREAM)).toEqual(await whole(log));
  await settled();
  return counting.events();
}

describe('the first command after a start', () => {
  it('reads the events after the snapshot, and answers as if it had read all', async () => {
    const { log, snapshots } = await snapped(3_000);
    await log.append(STREAM, notes(40, 3_000), { expected: 'any' });
    // The first page, which shows that the stream is long, the event of the snapshot, what followed, and whether the
    // stream still has its beginning.
    expect(await readBy(log, snapshots)).toBeLessThan(500 + 40 + 6);
    const { store } = startedOn(log, { snapshots });
    const { state, revision } = await handle(product(log).context(undefined, store), kept, STREAM, note('one more'));
    expect([state.notes.length, state.notes.at(-1), revision]).toEqual([3_041, 'one more', 3_040n]);
  });

  it('accepts a command once, even if it was accepted before the snapshot', async () => {
    const { log, snapshots } = await snapped(800);
    const ctx = (store: EventStore) => product(log).context(derivedId('command', '1'), store);
    await handle(ctx(log), kept, STREAM, note('once'));
    await log.append(STREAM, notes(60, 801), { expected: 'any' });
    const second = startedOn(log, { snapshots });
    await loadState(second.store, kept, STREAM);
    await second.settled();
    expect((await snapshots.read(PLACE))?.position).toBe(snapshotPosition(860n));
    const { store } = startedOn(log, { snapshots });
    expect((await handle(ctx(store), kept, STREAM, note('once'))).events).toEqual([]);
  });

  it('loads no snapshot of a stream that is read at once', async () => {
    const log = rawEventStore();
    await log.append(STREAM, notes(400), { expected: 'any' });
    const asked: string[] = [];
    const { snapshots } = memoryReadModels();
    const read: Snapshots['read'] = (place) => {
      asked.push(place.key);
      return snapshots.read(place);
    };
    const { store } = startedOn(log, { snapshots: { ...snapshots, read } });
    await loadState(store, kept, STREAM);
    expect(asked).toEqual([]);
  });

  it('reads the snapshot once for concurrent commands', async () => {
    const { log, snapshots } = await snapped(3_000);
    let reads = 0;
    const read: Snapshots['read'] = (place) => {
      reads += 1;
      return snapshots.read(place);
    };
    const { store } = startedOn(log, { snapshots: { ...snapshots, read } });
    const made = product(log);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        handle(made.context(undefined, store), kept, STREAM, note(`at once ${nth}`)),
      ),
    );
    expect(reads).toBe(1);
    expect(all.map(({ revision }) => revision).sort()).toEqual(
      Array.from({ length: 20 }, (_, nth) => BigInt(3_000 + nth)),
    );
    expect(await loadState(store, kept, STREAM)).toEqual(await whole(log));
  });
});

describe('a snapshot', () => {
  const another = async (at: Snapshot, snapshots: Snapshots): Promise<void> => {
    await snapshots.remove(at);
    await snapshots.write(at);
  };
  type World = { readonly log: EventStore; readonly snapshots: Snapshots; readonly snapshot: Snapshot };
  /** Returns the log as the next process finds it. */
  const CASES: readonly (readonly [what: string, change: (world: World) => Promise<EventStore>])[] = [
    [
      'of an earlier version of the fold',
      ({ log, snapshots, snapshot }) =>
        another({ ...snapshot, version: 0, state: 'nonsense' }, snapshots).then(() => log),
    ],
    [
      'that was cut off',
      ({ log, snapshots, snapshot }) =>
        another({ ...snapshot, state: snapshot.state.slice(0, -9) }, snapshots).then(() => log),
    ],
    [
      'of another shape',
      ({ log, snapshots, snapshot }) =>
        another({ ...snapshot, state: snapshot.state.replace('"note":', '"nota":') }, snapshots).then(() => log),
    ],
    [
      'with another hash',
      ({ log, snapshots, snapshot }) => another({ ...snapshot, hash: 'of another event' }, snapshots).then(() => log),
    ],
    [
      'that goes beyond the stream, as after a backup was put back',
      async () => {
        const log = rawEventStore();
        await log.append(STREAM, notes(700), { expected: 'any' });
        return log;
      },
    ],
    [
      'of a log that was written anew from an earlier event on, with an event of the same id in its place',
      async ({ log: before }) => {
        const read = await before.read(STREAM);
        if (read.status !== 'found') throw new Error('Not there.');
        const events = read.events.map(({ id, type, data, metadata }, nth) => ({
          id,
          type,
          data: nth < 600 ? data : { text: `other ${nth}` },
          metadata,
        }));
        const log = rawEventStore();
        await log.append(STREAM, events, { expected: 'any' });
        return log;
      },
    ],
    [
      'of a stream whose first events were erased',
      async ({ log }) => {
        await log.truncate(STREAM, 300n);
        return log;
      },
    ],
  ];

  it.each(CASES)('%s is not used, and a valid one replaces it', async (_, change) => {
    const world = await snapped(1_500);
    const snapshot = await world.snapshots.read(PLACE);
    if (!snapshot) throw new Error('None was kept.');
    const log = await change({ ...world, snapshot });
    expect(await readBy(log, world.snapshots)).toBeGreaterThan(650);
    const now = await world.snapshots.read(PLACE);
    expect(now && (await spanOf(log, now))).not.toBeNull();
    expect(await readBy(log, world.snapshots)).toBeLessThan(510);
  });

  it('of a later version is left to the program that wrote it', async () => {
    const { log, snapshots } = await snapped(1_500);
    const snapshot = await snapshots.read(PLACE);
    if (!snapshot) throw new Error('None was kept.');
    await snapshots.write({ ...snapshot, version: 9, state: 'of the future' });
    await readBy(log, snapshots);
    expect(await snapshots.read(PLACE)).toEqual({ ...snapshot, version: 9, state: 'of the future' });
  });

  it('is not kept if its content was erased while it was being written', async () => {
    const log = rawEventStore();
    await log.append(STREAM, notes(1_500), { expected: 'any' });
    const { snapshots } = memoryReadModels();
    const { store, settled } = startedOn(log, { snapshots });
    await loadState(store, kept, STREAM);
    await log.delete(STREAM);
    await settled();
    expect(await snapshots.read(PLACE)).toBeNull();
  });

  it('is written after enough events, a twentieth of the stream', async () => {
    const log = rawEventStore();
    const { snapshots } = memoryReadModels();
    const written: bigint[] = [];
    const write: Snapshots['write'] = (snapshot) => {
      written.push(BigInt(snapshot.position));
      return snapshots.write(snapshot);
    };
    const { store, settled } = startedOn(log, { snapshots: { ...snapshots, write }, grownBy: 10 });
    const made = product(log);
    await log.append(STREAM, notes(9), { expected: 'any' });
    for (let nth = 0; nth < 25; nth += 1) {
      await handle(made.context(undefined, store), kept, STREAM, note(`mine ${nth}`));
      await settled();
    }
    await log.append(STREAM, notes(966), { expected: 'any' });
    await loadState(store, kept, STREAM);
    await settled();
    for (let nth = 0; nth < 60; nth += 1)
      await handle(made.context(undefined, store), kept, STREAM, note(`again ${nth}`));
    await settled();
    expect(written).toEqual([9n, 19n, 29n, 999n, 1_052n]);
  });

  it('that cannot be read or written costs only time', async () => {
    const log = rawEventStore();
    await log.append(STREAM, notes(1_500), { expected: 'any' });
    const failures: unknown[] = [];
    const away = async (): Promise<never> => {
      throw new Error('away');
    };
    const snapshots = { ...memoryReadModels().snapshots, read: away, write: away };
    const { store, settled } = startedOn(log, { snapshots, onFailure: (error) => failures.push(error), grownBy: 500 });
    const made = product(log);
    for (let nth = 0; nth < 20; nth += 1)
      await handle(made.context(undefined, store), kept, STREAM, note(`mine ${nth}`));
    await settled();
    expect(await loadState(store, kept, STREAM)).toEqual(await whole(log));
    // Once on lookup and once on saving: not with every command.
    expect(failures.map((error) => (error as Error).message)).toEqual(['away', 'away']);
  });

  it('is not awaited when the read models do not answer', async () => {
    const { log, snapshots } = await snapped(1_500);
    const { store } = startedOn(log, {
      snapshots: { ...snapshots, read: () => new Promise(() => undefined) },
      waitMs: 1,
    });
    expect(await loadState(store, kept, STREAM)).toEqual(await whole(log));
  });
});

describe('a bill', () => {
  const at = '2026-03-01T00:00:00.000Z';
  const reserve = (jobId: string) =>
    ({
      type: 'ReserveAnalyses',
      userId: BUYER,
      jobIds: [jobId],
      batchId: jobId,
      allowance: 9_999,
      isAdmin: false,
      at,
    }) as const;
  const consume = (jobId: string) => ({ type: 'ConsumeAnalysis', userId: BUYER, jobId, at }) as const;
  const stream = billingStream(BUYER);

  it('is right in every process, whatever is written during its snapshot', async () => {
    const log = memoryEventStore();
    const { snapshots } = memoryReadModels();
    const made = product(log);
    const decider = { ...billingDecider, keptFrom: 1 };
    const read = async (store: EventStore, of: typeof decider) => {
      const { state } = await loadState(store, of, stream);
      return {
        parts: [...billForm.partsOf(state)],
        of: Array.from({ length: 700 }, (_, nth) => analysisOf(state, `job-${nth}`)?.status ?? null),
      };
    };
    await handle(made.context(), decider, stream, {
      ...reserve('job-0'),
      jobIds: Array.from({ length: 600 }, (_, nth) => `job-${nth}`),
    });
    for (let round = 0; round < 4; round += 1) {
      const { store, settled } = startedOn(log, { snapshots, forms: [billForm], grownBy: 5 });
      const commands = Array.from({ length: 20 }, (_, nth) =>
        nth % 2 === 0 ? reserve(`job-${600 + round * 20 + nth}`) : consume(`job-${round * 20 + nth}`),
      );
      // No command waits for a snapshot: each finds one being written.
      for (const command of commands) await handle(made.context(undefined, store), decider, stream, command);
      await settled();
      const snapshot = await snapshots.read({ name: 'bill', key: stream });
      expect(snapshot && (await spanOf(log, snapshot))).not.toBeNull();
      const next = startedOn(log, { snapshots, forms: [billForm] });
      expect(await read(next.store, decider)).toEqual(
        await read(log, { ...billingDecider, keptFrom: Number.POSITIVE_INFINITY }),
      );
    }
  });

  it('has no snapshot in a store that keeps none, and ignores one of another fold', async () => {
    const { log, snapshots } = await snapped(1_500);
    const { store } = startedOn(log, { snapshots, forms: [diaryForm] });
    const other = { ...kept, evolve: (...input: Parameters<typeof diary.evolve>) => diary.evolve(...input) };
    const counting = countingReads(store);
    expect(await loadState(counting.store, other, STREAM)).toEqual(await whole(log));
    expect(counting.events()).toBeGreaterThan(1_500);
  });
});
