/** Interleaves two requests at the store: one is done as a whole right before a chosen operation of the other. */
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { memoryEventStore } from '../stores/eventStore.ts';
import { preparedReadModels } from '../stores/readModels.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './http.ts';

export type InterruptedApp = TestApp & {
  /** Does `other` right before the nth operation on the store that `act` makes; false if it makes fewer. */
  interruptedAt(nth: number, act: () => Promise<unknown>, other: () => Promise<unknown>): Promise<boolean>;
};

export async function startInterruptedApp(options: TestAppOptions = {}): Promise<InterruptedApp> {
  let interrupt: (() => Promise<void>) | null = null;
  const around =
    <Input extends readonly unknown[], Output>(operation: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      await interrupt?.();
      return operation(...input);
    };
  const store = memoryEventStore();
  const { append, read } = store satisfies EventStore;
  const inherited: SqliteEventStore = Object.create(store);
  const interruptible = Object.assign(inherited, { append: around(append), read: around(read) });
  const app = await startTestApp({
    ...options,
    stores: { store, readModels: await preparedReadModels() },
    deps: { ...options.deps, store: interruptible },
  });
  return {
    ...app,
    async interruptedAt(nth, act, other) {
      let count = 0;
      interrupt = async () => {
        count += 1;
        if (count !== nth) return;
        interrupt = null;
        await other();
      };
      await act();
      const done = interrupt === null;
      interrupt = null;
      return done;
    },
  };
}
