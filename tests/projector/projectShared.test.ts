/** One checkpoint for all models, on both stores: whatever happens around it, the documents are those of one pass. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { Commit, ReadModels, SharedCheckpoint } from '../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import {
  append,
  type BoxDocument,
  boxes,
  burned,
  filled,
  hoards,
  moved,
  TOYS,
  TOYS_WITH_SUMS,
  tally,
} from '../projections/toys.ts';
import { type Fault, faultyConnection } from '../readModels/mongo/mongoFaults.ts';
import { describeOnMongo } from '../readModels/mongo/mongoServers.ts';

const TIMEOUT_MS = 20_000;
const MODELS = TOYS_WITH_SUMS.map(({ name }) => name);

const history = Array.from({ length: 60 }, (_, n) =>
  n % 11 === 0 ? moved(`b${n % 9}`, 'ada', 'bob') : n % 23 === 0 ? burned(`b${n % 9}`) : filled(`b${n % 9}`, n % 4),
);

/** The same documents from other code: an upgrade. */
const upgraded = TOYS_WITH_SUMS.map((projection): AnyProjection => ({ ...projection, version: 2 }));

type Pair = {
  /** `fault`: the process ends at that write; only where a commit is more than one. */
  open(fault?: Fault): Promise<ReadModels>;
  dispose(): Promise<void>;
};

function describeShared(name: string, newPair: () => Pair, faults: readonly Fault[]): void {
  describe(name, () => {
    let store: EventStore;
    let pair: Pair;
    let running: Projecting[];
    beforeEach(() => {
      store = rawEventStore();
      pair = newPair();
      running = [];
    });
    afterEach(async () => {
      await Promise.allSettled(running.map((each) => each.stop()));
      await pair.dispose();
      await store.close();
    });

    function start(
      readModels: ReadModels,
      projections: readonly AnyProjection[] = TOYS_WITH_SUMS,
      options: Parameters<typeof projecting>[3] = {},
    ): Projecting {
      const loop = projecting(store, readModels, projections, options);
      running.push(loop);
      return loop;
    }

    /** Waits until everything is applied, then compares with a clean pass. */
    async function expectWhole(readModels: ReadModels): Promise<void> {
      expect(await readModels.reached(MODELS, await store.head(), TIMEOUT_MS)).toBe(true);
      const clean = memoryReadModels();
      const pass = projecting(store, clean, TOYS_WITH_SUMS);
      await pass.ready;
      for (const model of MODELS) expect(await documentsOf(readModels, model)).toEqual(await documentsOf(clean, model));
      await pass.stop();
      await clean.close();
    }

    it('an event that touches one model costs one commit, which advances all', async () => {
      const readModels = await pair.open();
      const commits: { readonly models: readonly string[]; readonly shared: SharedCheckpoint | undefined }[] = [];
      const watched: ReadModels = {
        ...readModels,
        commit: (list: readonly Commit[], shared?: SharedCheckpoint) => {
          commits.push({ models: list.map(({ model }) => model), shared });
          return readModels.commit(list, shared);
        },
      };
      await start(watched).ready;
      commits.length = 0;
      const position = await append(store, filled('a', 1));
      expect(await readModels.reached(MODELS, position, TIMEOUT_MS)).toBe(true);
      expect(commits.filter(({ models }) => models.length > 0)).toHaveLength(1);
      expect(commits.every(({ shared }) => shared?.builds.length === MODELS.length)).toBe(true);
    });

    it('an upgrade and back, with events before, between and after', async () => {
      const readModels = await pair.open();
      await append(store, ...history.slice(0, 20));
      for (const [projections, from, to] of [
        [TOYS_WITH_SUMS, 20, 30],
        [upgraded, 30, 40],
        [TOYS_WITH_SUMS, 40, 50],
        [[upgraded[0] as AnyProjection, ...TOYS_WITH_SUMS.slice(1)], 50, 60],
      ] as const) {
        const loop = start(readModels, projections, { batchSize: 3 });
        await loop.ready;
        await append(store, ...history.slice(from, to));
        await expectWhole(readModels);
        await loop.stop();
      }
    });

    it('two versions at once, which change the builds under each other: one goes on, and nothing is left out', async () => {
      const [one, two] = [await pair.open(), await pair.open()];
      const first = start(one, TOYS_WITH_SUMS, { batchSize: 3 });
      await first.ready;
      const second = start(two, [upgraded[0] as AnyProjection, ...TOYS_WITH_SUMS.slice(1)], { batchSize: 3 });
      for (const event of history) await append(store, event);
      await second.ready;
      await first.stop().catch(() => undefined);
      await expectWhole(two);
    });

    it('a build takes over while events arrive', async () => {
      const readModels = await pair.open();
      const loop = start(readModels, TOYS_WITH_SUMS, { batchSize: 2 });
      await loop.ready;
      const appending = (async () => {
        for (const event of history) await append(store, event);
      })();
      await loop.rebuild(['boxes']);
      await loop.rebuild();
      await appending;
      await expectWhole(readModels);
    });

    it('a document is parked, the checkpoint goes on, and a retry applies what it missed', async () => {
      const readModels = await pair.open();
      let isBroken = true;
      const fragile: AnyProjection = {
        ...boxes,
        evolve: (document: BoxDocument | null, event, key) => {
          if (isBroken && key === 'b1') throw new Error('Broken');
          return boxes.evolve(document, event, key);
        },
      };
      const loop = start(readModels, [fragile, ...TOYS_WITH_SUMS.slice(1)]);
      await loop.ready;
      await append(store, ...history);
      expect(await readModels.reached(MODELS, await store.head(), TIMEOUT_MS)).toBe(true);
      expect((await readModels.parked()).map(({ documentId }) => documentId)).toEqual(['b1']);
      isBroken = false;
      expect((await loop.retryParked('boxes')).stillParked).toEqual([]);
      await expectWhole(readModels);
    });

    for (const parked of ['a source', 'a sum'])
      it(`${parked} is parked, and a retry counts everything once`, async () => {
        const readModels = await pair.open();
        let isBroken = true;
        const orBreak = (given: unknown): void => {
          if (isBroken && JSON.stringify(given).includes('bob')) throw new Error('Broken');
        };
        const sums = hoards.sums as NonNullable<typeof hoards.sums>;
        const fragile: AnyProjection = {
          ...hoards,
          evolve: (document, event, key) => {
            if (parked === 'a source') orBreak(event);
            return hoards.evolve(document, event, key);
          },
          sums: {
            ...sums,
            evolve: (sum, source, next, key) => {
              if (parked === 'a sum') orBreak(next);
              return sums.evolve(sum, source, next, key);
            },
          },
        };
        const loop = start(readModels, [...TOYS, fragile]);
        await loop.ready;
        await append(store, ...history);
        expect(await readModels.reached(MODELS, await store.head(), TIMEOUT_MS)).toBe(true);
        expect((await readModels.parked('hoards')).length).toBeGreaterThan(0);
        isBroken = false;
        expect((await loop.retryParked('hoards')).stillParked).toEqual([]);
        await expectWhole(readModels);
      });

    it('a document is erased while a build is being filled', async () => {
      const readModels = await pair.open();
      await append(store, ...history.slice(0, 55), filled('b1', 3));
      const loop = start(readModels, TOYS_WITH_SUMS, { batchSize: 2 });
      await loop.ready;
      const rebuilt = loop.rebuild(['boxes', 'tally']);
      await append(store, burned('b1'));
      await rebuilt;
      await expectWhole(readModels);
      expect(await readModels.get('boxes', 'b1')).toBeNull();
    });

    it('models that this version does not have are removed', async () => {
      const readModels = await pair.open();
      await append(store, ...history);
      await start(readModels).ready.then(() => running[0]?.stop());
      await start(readModels, [tally]).ready;
      expect(await readModels.serving('tally')).toBe('v1');
      await expect.poll(() => readModels.serving('boxes')).toBeNull();
    });

    for (const fault of faults) {
      it(`the process ends ${fault.how} write ${fault.at} of a batch`, async () => {
        await append(store, ...history.slice(0, 20));
        const first = start(await pair.open());
        await first.ready;
        await first.stop();
        await append(store, ...history.slice(20));
        const dying = start(await pair.open(fault), TOYS_WITH_SUMS, { batchSize: 7, backoffMs: () => 60_000 });
        await expect.poll(() => dying.logged.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
        await dying.stop();
        const successor = await pair.open();
        await start(successor, TOYS_WITH_SUMS, { batchSize: 5 }).ready;
        await expectWhole(successor);
      });
    }
  });
}

describeShared(
  'on SQLite',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'shared-checkpoint-'));
    const readModels = openSqliteReadModels({ file: join(folder, 'readModels.db') });
    return {
      open: async () => readModels,
      dispose: async () => {
        await readModels.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  // A commit is one transaction.
  [],
);

describeOnMongo('on MongoDB', (newCase) =>
  describeShared(
    'the shared checkpoint',
    () => {
      const mongo = newCase();
      return {
        open: async (fault) => {
          if (!fault) return mongo.open();
          const connection = faultyConnection(await mongo.connect());
          const readModels = await mongo.open({}, connection);
          connection.arm(fault);
          return readModels;
        },
        dispose: mongo.dispose,
      };
    },
    [2, 3, 4, 5, 6, 7, 8].flatMap((at) => (['half', 'after'] as const).map((how): Fault => ({ at, how }))),
  ),
);
