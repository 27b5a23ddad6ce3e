/** A product without HTTP and workers: a store, a manual clock, and contexts for commands. */

import { signUp } from '../../src/commands/account/signUp.ts';
import { type Cause, type CommandContext, contextOf } from '../../src/commands/context.ts';
import { derivedId } from '../../src/commands/derivedId.ts';
import type { Actor } from '../../src/domain/stored/metadata.ts';
import { type EventStore, type RecordedEvent, START } from '../../src/eventStore/eventStore.ts';
import { type ManualClock, manualClock } from './manualClock.ts';
import { memoryEventStore } from './stores/eventStore.ts';

export type Product = {
  readonly store: EventStore;
  readonly clock: ManualClock;
  /** A context with a new id, or with the given one to repeat a command. An event: the cause. */
  readonly context: (given?: string | Cause | null, store?: EventStore, actor?: Actor) => CommandContext;
  readonly now: () => string;
  readonly pass: (minutes: number) => void;
  /** Every event there is, in log order. */
  readonly log: () => Promise<readonly RecordedEvent[]>;
  readonly types: (streamPrefix: string) => Promise<readonly string[]>;
};

export function product(store: EventStore = memoryEventStore()): Product {
  const clock = manualClock(Date.parse('2026-03-10T12:00:00.000Z'));
  let commands = 0;
  const now = (): string => new Date(clock.now()).toISOString();
  const log = async (): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for (let after = START; ; ) {
      const page = await store.readAll({ after, limit: 500 });
      events.push(...page.events);
      if (page.end) return events;
      after = page.next;
    }
  };
  return {
    store,
    clock,
    now,
    log,
    pass: (minutes) => clock.advance(minutes * 60_000),
    context: (given, other, actor = { kind: 'user', id: 'test' }) => {
      commands += 1;
      const commandId = typeof given === 'string' ? given : derivedId('test', String(commands));
      return contextOf({ store: other ?? store, now, commandId, actor }, typeof given === 'object' ? given : null);
    },
    types: async (streamPrefix) =>
      (await log()).filter((event) => event.stream.startsWith(streamPrefix)).map((event) => event.type),
  };
}

/** The first account of a product is its admin: with this one, the others are not. */
export async function withAdmin(made: Product = product()): Promise<Product> {
  await signUp(made.context(), { email: 'admin@example.com', name: 'Admin', passwordHash: 'hash' });
  return made;
}

export async function userOf({ context }: Product, email = 'ann@example.com'): Promise<string> {
  return (await signUp(context(), { email, name: 'Ann', passwordHash: `hash of ${email}` })).userId;
}

class Crash extends Error {}

/**
 * The process dies at its `nth` write (an append, a deletion or a truncation): before it reaches the store, or after,
 * so that only the answer is lost. Everything after that fails too.
 */
export function crashingStore(
  store: EventStore,
  nth: number,
  when: 'before' | 'after',
): EventStore & { readonly crashed: () => boolean } {
  let writes = 0;
  const write = async <T>(act: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes > nth || (writes === nth && when === 'before')) throw new Crash(`at write ${nth}`);
    const result = await act();
    if (writes === nth) throw new Crash(`after write ${nth}`);
    return result;
  };
  const inherited: EventStore = Object.create(store);
  return Object.assign(inherited, {
    append: (...input: Parameters<EventStore['append']>) => write(() => store.append(...input)),
    delete: (...input: Parameters<EventStore['delete']>) => write(() => store.delete(...input)),
    truncate: (...input: Parameters<EventStore['truncate']>) => write(() => store.truncate(...input)),
    // A dead process closes nothing.
    close: async () => (writes >= nth ? undefined : store.close()),
    crashed: () => writes >= nth,
  });
}

/**
 * Runs `scene` once for each write of its command, with the process dying there, before the write and after it, until
 * the command comes through. Returns how often it died. `scene` gets the way to break a store, and runs the command,
 * which throws Crash. `every`: only the first of this many writes, as a death after a write is much like one before the
 * next.
 */
export async function atEveryCrash(
  scene: (breaking: (store: EventStore) => EventStore) => Promise<void>,
  every = 1,
): Promise<number> {
  let deaths = 0;
  for (const when of ['before', 'after'] as const) {
    for (let nth = 1; ; nth += every) {
      let crashed = () => false;
      await scene((store) => {
        const breaking = crashingStore(store, nth, when);
        crashed = breaking.crashed;
        return breaking;
      });
      if (!crashed()) break;
      deaths += 1;
    }
  }
  return deaths;
}

/** The outcome of an operation that may crash. Other errors are rethrown. */
export async function orCrash<T>(running: Promise<T>): Promise<T | 'crashed'> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof Crash) return 'crashed';
    throw error;
  }
}

/** Counts calls, events read, and appends. */
export function countingReads(store: EventStore): {
  readonly store: EventStore;
  readonly events: () => number;
  readonly calls: () => number;
} {
  let events = 0;
  let calls = 0;
  const counting = Object.assign(Object.create(store) as EventStore, {
    append: (...input: Parameters<EventStore['append']>) => {
      calls += 1;
      return store.append(...input);
    },
    read: async (...input: Parameters<EventStore['read']>) => {
      const read = await store.read(...input);
      calls += 1;
      events += read.status === 'found' ? read.events.length : 0;
      return read;
    },
    readAll: async (...input: Parameters<EventStore['readAll']>) => {
      const page = await store.readAll(...input);
      calls += 1;
      events += page.events.length;
      return page;
    },
  });
  return { store: counting, events: () => events, calls: () => calls };
}
