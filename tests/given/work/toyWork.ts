/** Work of a toy kind on real stores in memory: its log, its list, claims, and runners with a manual clock. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { derivedId } from '../../../src/commands/derivedId.ts';
import type { EventStore, Position, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { Timer } from '../../../src/eventStore/notifier.ts';
import { runProjections } from '../../../src/projector/project.ts';
import type { Claims } from '../../../src/readModels/claims.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { workItemsModel } from '../../../src/work/items.ts';
import type { Holding, WorkItem, WorkKind, WorkOutcome, WorkRule } from '../../../src/work/kind.ts';
import { type Runner, runWork } from '../../../src/work/runner.ts';
import { manualClock } from '../manualClock.ts';
import { rawEventStore } from '../stores/eventStore.ts';
import { metadataAt } from '../stores/metadata.ts';

type Toy = {
  readonly id: string;
  readonly lane: string;
  readonly rank?: number;
  readonly dueAt?: string;
  readonly network?: string;
};
const toyOf = ({ data }: RecordedEvent): Toy => data as Toy;
const idOf = (event: RecordedEvent): string => toyOf(event).id;

export const toyRule: WorkRule = {
  kind: 'toy',
  opens: {
    ToyOwed: (event) => {
      const { id: itemId, ...opening } = toyOf(event);
      return { itemId, ...opening };
    },
  },
  closes: { ToyDone: idOf, ToyGivenUp: idOf },
  defers: { ToyPutOff: (event) => ({ itemId: idOf(event), dueAt: toyOf(event).dueAt ?? '' }) },
};

/** One attempt, controlled by the test. */
export type Try = {
  readonly item: WorkItem;
  readonly holding: Holding;
  readonly signal: AbortSignal;
  /** Records that it is done, and ends the attempt. */
  finish(): Promise<void>;
  end(outcome: WorkOutcome): void;
  fail(error?: Error): void;
};

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function toyWork(
  options: {
    readonly parallel?: number;
    readonly parallelOfLane?: number;
    readonly keptForIdle?: number;
    readonly tries?: number;
    readonly expiresAfterMs?: number;
    readonly hadSince?: WorkKind['hadSince'];
    /** The read models as runners see them. */
    readonly worked?: (readModels: ReadModels) => ReadModels;
  } = {},
) {
  const clock = manualClock();
  const now = (): string => new Date(clock.now()).toISOString();
  const store: EventStore = rawEventStore();
  const readModels = openSqliteReadModels({ file: ':memory:' });
  const stopping = new AbortController();
  const projecting = runProjections({
    store,
    readModels,
    projections: [workItemsModel([toyRule])],
    signal: stopping.signal,
    now: clock.now,
  });
  const running: Try[] = [];
  const steps = new Map<string, number>();
  const runners: { stop(): Promise<void> }[] = [];
  let written = 0;

  async function write(type: string, data: Partial<Toy> & { readonly id: string }): Promise<Position> {
    written += 1;
    const event = { id: derivedId('toy', String(written)), type, data, metadata: metadataAt(now()) };
    return (await store.append(`toy-${data.id}`, [event], { expected: 'any' })).position;
  }

  function kind(): WorkKind {
    const { parallel = 4, parallelOfLane = 2, tries = 3 } = options;
    return {
      rule: toyRule,
      parallel,
      parallelOfLane,
      ...(options.keptForIdle === undefined ? {} : { keptForIdle: options.keptForIdle }),
      ...(options.hadSince === undefined ? {} : { hadSince: options.hadSince }),
      ...(options.expiresAfterMs === undefined ? {} : { expiresAfterMs: options.expiresAfterMs }),
      stepsEnded: async ({ itemId }) => steps.get(itemId) ?? 0,
      perform: (item, holding, signal) =>
        new Promise<WorkOutcome>((resolve, reject) => {
          const leave = (): void => void running.splice(running.indexOf(own), 1);
          const own: Try = {
            item,
            holding,
            signal,
            async finish() {
              const position = await write('ToyDone', { id: item.itemId });
              own.end({ outcome: 'settled', position });
            },
            end(outcome) {
              leave();
              resolve(outcome);
            },
            fail(error = new Error('it failed')) {
              leave();
              reject(error);
            },
          };
          running.push(own);
          signal.addEventListener('abort', () => own.fail(signal.reason as Error), { once: true });
        }),
      retryAfterMs: (attempts) => (attempts >= tries ? null : attempts * 1_000),
      giveUp: ({ itemId }) => write('ToyGivenUp', { id: itemId }),
    };
  }

  return {
    store,
    readModels,
    clock,
    now,
    running,
    steps,
    write,
    ready: projecting.ready,
    claims: readModels.claims as Claims,
    /** Ids of items in progress, in the order in which they were claimed. */
    taken: (): string[] => running.map(({ item }) => item.itemId),
    async enqueue(id: string, lane: string, more: Partial<Toy> = {}): Promise<Position> {
      return write('ToyOwed', { id, lane, ...more });
    },
    start(
      holder = 'one',
      held: () => boolean = () => true,
      timer: Timer = clock.timer,
    ): Runner & { stop(): Promise<void> } {
      const ending = new AbortController();
      const runner = runWork({
        kinds: [kind()],
        readModels: options.worked?.(readModels) ?? readModels,
        claims: readModels.claims,
        holder,
        held,
        signal: ending.signal,
        now,
        timer,
        log: quiet,
      });
      const stop = async (): Promise<void> => {
        ending.abort(new Error('The worker is stopping.'));
        await runner.done;
      };
      runners.push({ stop });
      return { ...runner, stop };
    },
    /** Advances time second by second, while all runners do their work. */
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(Math.min(1_000, left));
        await rest();
      }
    },
    async stop(): Promise<void> {
      await Promise.all(runners.map((runner) => runner.stop()));
      stopping.abort();
      await projecting.done.catch(() => undefined);
      await readModels.close();
      await store.close();
    },
  };
}

/** Waits until all work in this process is done: the embedded stores answer within a few turns of the event loop. */
export async function rest(turns = 60): Promise<void> {
  for (let left = turns; left > 0; left -= 1) await turn();
}

const TIMEOUT_MS = 10_000;
/** Switches to waiting for events outside this process. */
const TURNS = 2_000;

/** @throws when it does not become true in time */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (let turns = 0; performance.now() < end; turns += 1) {
    if (await isSo()) return;
    await (turns < TURNS ? turn() : pause(2));
  }
  throw new Error(`${what} did not come true.`);
}
