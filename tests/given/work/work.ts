/**
 * Kinds of work on real stores: the log makes it pending, the real list and claims distribute it, and runners do it.
 * `openWork` adds the stores in memory and a manual clock; `startRunner` alone works beside a running app.
 */
import { type EventStore, StoreClosed } from '../../../src/eventStore/eventStore.ts';
import type { Timer } from '../../../src/eventStore/notifier.ts';
import type { Claim } from '../../../src/readModels/claims.ts';
import type { SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { getItem, WORK_ITEMS } from '../../../src/work/items.ts';
import type { WorkItem, WorkKind } from '../../../src/work/kind.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { type Runner, runWork } from '../../../src/work/runner.ts';
import type { Product } from '../commands.ts';
import { projecting } from '../stores/projections.ts';
import { preparedReadModels } from '../stores/readModels.ts';
import { rest } from './toyWork.ts';

export type TestRunner = Runner & {
  /** Stops cleanly: claimed items are released. */
  stop(): Promise<void>;
};

type RunnerOptions = { readonly holder?: string; readonly held?: () => boolean };

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function startRunner(
  on: { readonly readModels: SqliteReadModels; readonly now: () => string; readonly timer?: Timer },
  kinds: readonly WorkKind[],
  { holder = 'one', held = () => true }: RunnerOptions = {},
): TestRunner {
  const ending = new AbortController();
  const runner = runWork({
    ...on,
    kinds,
    claims: on.readModels.claims,
    holder,
    held,
    signal: ending.signal,
    log: quiet,
  });
  return {
    ...runner,
    async stop() {
      ending.abort(new Error('The worker is stopping.'));
      await runner.done;
    },
  };
}

export type Work = {
  readonly made: Product;
  readonly readModels: SqliteReadModels;
  start(kinds: readonly WorkKind[], options?: RunnerOptions): TestRunner;
  /** In a process that can be killed. */
  startMortal(kindsOn: (store: EventStore) => readonly WorkKind[], holder: string): { vanish(): Promise<void> };
  /** Ids of the pending items of a kind. */
  listed(kind: string): Promise<readonly string[]>;
  item(kind: string, itemId: string): Promise<WorkItem | null>;
  claim(kind: string, itemId: string): Promise<Claim | undefined>;
  /** Waits until the list has caught up with the log, and all due work is done. */
  settle(): Promise<void>;
  /** Advances time second by second, while all runners do their work. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
};

export async function openWork(made: Product): Promise<Work> {
  const { store, clock, now } = made;
  const readModels = await preparedReadModels();
  const loop = projecting(store, readModels, READ_MODELS, { now: clock.now });
  await loop.ready;
  const running: { stop(): Promise<void> }[] = [];

  function start(kinds: readonly WorkKind[], options?: RunnerOptions): TestRunner {
    const runner = startRunner({ readModels, now, timer: clock.timer }, kinds, options);
    running.push(runner);
    return runner;
  }
  const caughtUp = async () => readModels.reached([WORK_ITEMS], await store.head(), 10_000);
  async function settle(): Promise<void> {
    await caughtUp();
    await rest();
  }

  return {
    made,
    readModels,
    start,
    startMortal(kindsOn, holder) {
      const { store: mortal, die } = mortalStore(store);
      const runner = start(kindsOn(mortal), { holder });
      return {
        async vanish() {
          die();
          // Like a process that notices that the heartbeats have stopped.
          await readModels.claims.vacate(holder);
          await runner.stop();
        },
      };
    },
    async listed(kind) {
      await settle();
      const { documents } = await readModels.find<WorkItem>(WORK_ITEMS, { where: { kind }, limit: 1_000 });
      return documents.map(({ data }) => data.itemId);
    },
    async item(kind, itemId) {
      await caughtUp();
      return (await getItem(readModels, kind, itemId))?.data ?? null;
    },
    claim: async (kind, itemId) => (await readModels.claims.read(kind, [itemId]))[0],
    settle,
    async pass(seconds) {
      for (let left = seconds; left > 0; left -= 1) {
        clock.advance(1_000);
        await rest();
      }
    },
    async close() {
      await Promise.all(running.map((runner) => runner.stop()));
      await loop.stop();
      await readModels.close();
      await store.close();
    },
  };
}

/** A store as one process uses it: pending writes are lost with the process. */
function mortalStore(store: EventStore): { readonly store: EventStore; die(): void } {
  let dead = false;
  const alive = <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (dead) throw new StoreClosed();
      return act(...args);
    };
  };
  const inherited: EventStore = Object.create(store);
  const writes = { append: alive(store.append), delete: alive(store.delete), truncate: alive(store.truncate) };
  return {
    store: Object.assign(inherited, writes),
    die: () => {
      dead = true;
    },
  };
}
