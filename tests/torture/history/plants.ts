/** Six ways in which a store adapter could be wrong, some in two forms. Each looks right in a single request. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { type EventStore, type NewEvent, StreamDeleted } from '../../../src/eventStore/eventStore.ts';
import type { Page, ReadModels } from '../../../src/readModels/readModels.ts';
import type { Plant } from './plantedArena.ts';
import type { Rule } from './wishes.ts';

export type PlantedBug = {
  readonly name: string;
  plant(): Plant;
  /** The expected fault, and its kind. */
  readonly rule: Rule;
  readonly says: RegExp;
};

/** True at every nth call. */
export function every(nth: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % nth === 0;
  };
}

const holds = (events: readonly NewEvent[], ...types: readonly string[]): boolean =>
  events.some((event) => types.includes(event.type));
const anew = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.map((event) => ({ ...event, id: randomUUID() }));

type Append = EventStore['append'];

/** A store that fails every nth append of events of a type. */
export function appending(
  types: readonly string[],
  nth: number,
  wrong: (append: Append, ...given: Parameters<Append>) => ReturnType<Append>,
): Plant {
  return {
    eventStore: (store) => {
      const due = every(nth);
      const right: Append = (...given) => store.append(...given);
      return {
        ...bound(store),
        append: (...given) => (holds(given[1], ...types) && due() ? wrong(right, ...given) : right(...given)),
      };
    },
  };
}

/** The same store with its methods as plain functions, so that one of them can be replaced. */
export function bound<T extends EventStore | ReadModels>(port: T): T {
  const plain = (member: unknown): unknown => (typeof member === 'function' ? member.bind(port) : member);
  return Object.fromEntries(Object.entries(port).map(([name, member]) => [name, plain(member)])) as T;
}

const ENDS = ['AnalysisConsumed', 'AnalysisReleased'];

/** Answers before it has written, and writes after two other writes, or after a pause. */
function overtaken(): Plant {
  return {
    eventStore: (store) => {
      const due = every(6);
      let waiting: { readonly write: () => Promise<unknown>; readonly timer: NodeJS.Timeout; others: number } | null =
        null;
      const release = async (): Promise<void> => {
        const late = waiting;
        waiting = null;
        clearTimeout(late?.timer);
        await late?.write();
      };
      return {
        ...bound(store),
        append: async (...given) => {
          waiting?.timer.refresh();
          if (!holds(given[1], 'JobSubmitted')) return store.append(...given);
          if (!waiting && due()) {
            // By then the run may be over, and the store closed.
            const late = (): void => void release().catch(() => undefined);
            waiting = { write: () => store.append(...given), timer: setTimeout(late, 1_000), others: 0 };
            return { revision: 1n, position: await store.head() };
          }
          const written = await store.append(...given);
          if (waiting) waiting.others += 1;
          if (waiting && waiting.others >= 2) await release();
          return written;
        },
      };
    },
  };
}

/** Every other list of jobs that has changed is answered as it was at first. */
function stale(readModels: ReadModels): ReadModels {
  const first = new Map<string, unknown>();
  const due = every(2);
  return {
    ...bound(readModels),
    find: async <T extends object>(...query: Parameters<ReadModels['find']>) => {
      const key = JSON.stringify(query);
      const page = await readModels.find<T>(...query);
      if (query[0] !== 'jobs' || page.documents.length === 0) return page;
      if (!first.has(key)) first.set(key, page);
      const earlier = first.get(key) as Page<T>;
      return !isDeepStrictEqual(earlier, page) && due() ? earlier : page;
    },
  };
}

/** Some lists are those of another user. */
function mixedUp(readModels: ReadModels): ReadModels {
  const due = every(10);
  let before: Parameters<ReadModels['find']> | null = null;
  return {
    ...bound(readModels),
    find: async <T extends object>(...query: Parameters<ReadModels['find']>) => {
      if (query[0] !== 'jobs') return readModels.find<T>(...query);
      const isOthers = before !== null && before[1].where?.userId !== query[1].where?.userId;
      if (before && isOthers && due()) return readModels.find<T>(...before);
      const page = await readModels.find<T>(...query);
      // One without jobs would show none of another account.
      if (page.documents.length > 0) before = query;
      return page;
    },
  };
}

/** Claims to be up to date with jobs, and applies them only after a few list queries, or after a pause. */
function hasty(): Plant {
  const lists = new EventEmitter();
  const asked = async (): Promise<void> => {
    for (let left = 10; left > 0; left -= 1) await once(lists, 'asked', { signal: AbortSignal.timeout(1_000) });
  };
  return {
    readModels: (readModels) => ({
      ...bound(readModels),
      reached: (models, position, ms) =>
        models.includes('jobs') ? Promise.resolve(true) : readModels.reached(models, position, ms),
      find: async <T extends object>(...query: Parameters<ReadModels['find']>) => {
        const page = await readModels.find<T>(...query);
        if (query[0] === 'jobs') lists.emit('asked');
        return page;
      },
    }),
    projected: (readModels) => ({
      ...bound(readModels),
      commit: async (commits, shared) => {
        if (commits.some(({ model, writes }) => model === 'jobs' && writes.length > 0))
          await asked().catch(() => undefined);
        return readModels.commit(commits, shared);
      },
    }),
  };
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: '1: an acknowledged append is lost',
    plant: () =>
      appending(['JobSubmitted'], 5, async (_append, stream) => ({
        revision: 1n,
        position: stream === '' ? '' : '0'.repeat(20),
      })),
    rule: 'lost',
    says: /number \d+ was acknowledged to \S+ as job \S+, which is not in the log/,
  },
  {
    name: '2: an append whose answer was lost is retried with new ids',
    plant: () =>
      appending(['JobSubmitted'], 5, async (append, stream, events) => {
        await append(stream, events, { expected: 'no_stream' });
        return append(stream, anew(events), { expected: 'any' });
      }),
    rule: 'doubled',
    says: /job \S+ \(number \d+\) was submitted 2 times in the log/,
  },
  {
    name: '3: a read model goes back to an earlier state',
    plant: () => ({ readModels: stale }),
    rule: 'backward',
    says: /read \d+ shows job \S+ as \S+ at \d+, and read \d+ before it showed \S+ at \d+/,
  },
  {
    name: '4a: a read shows data of another account',
    plant: () => ({ readModels: mixedUp }),
    rule: 'of another account',
    says: /read \d+ of \S+ shows job \S+ \(number \d+\), which is not its own/,
  },
  {
    name: '4b: a read misses a write acknowledged before it',
    plant: hasty,
    rule: 'own write missing',
    says: /job \S+ of \S+ is missing in read \d+, although its submission was acknowledged before/,
  },
  {
    name: '5a: a reservation is never ended',
    plant: () => appending(ENDS, 4, async () => ({ revision: 1n, position: '0'.repeat(20) })),
    rule: 'reservation',
    says: /the reservation of job \S+ ended never/,
  },
  {
    name: '5b: a reservation is ended twice',
    plant: () =>
      appending(ENDS, 4, async (append, stream, events, options) => {
        await append(stream, events, options);
        return append(stream, anew(events), { expected: 'any' });
      }),
    rule: 'reservation',
    says: /the reservation of job \S+ ended 2 times/,
  },
  {
    name: '6a: events are written in a different order than acknowledged',
    plant: overtaken,
    rule: 'order',
    says: /number \d+ was acknowledged before number \d+ was asked, yet stands behind it in the log/,
  },
  {
    name: '6b: an append is refused and written',
    plant: () =>
      appending(['JobSubmitted'], 5, async (append, stream, events, options) => {
        await append(stream, events, options);
        throw new StreamDeleted(stream);
      }),
    rule: 'refused but done',
    says: /number \d+ was refused to \S+, yet the log has job \S+ for it/,
  },
];
