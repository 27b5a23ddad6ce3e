/**
 * Anything done to a stream, in any order: with folds cached in memory and beside the read models, the outcome is as if
 * each command had read the whole stream.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId } from '../../src/commands/derivedId.ts';
import { handle, loadHistory, loadState } from '../../src/commands/handle.ts';
import type { EventStore, StreamRead } from '../../src/eventStore/eventStore.ts';
import type { Snapshots } from '../../src/readModels/snapshots.ts';
import { type Product, product } from '../given/commands.ts';
import { FULL, runs } from '../given/fullForm.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { diary, type Noted, noted } from '../given/stores/foldToy.ts';
import { type Process, startedOn } from '../given/stores/keptSnapshots.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const SEED = 20261122;
const STREAM = 'diary-1';

/** What others do to the stream. `back`: counted from its end. */
type Foreign =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'truncate'; readonly back: number }
  | { readonly kind: 'delete' };
type Own =
  | { readonly kind: 'load' }
  /** Another process continues with an empty memory; `settles`: a snapshot being written is stored by then. */
  | { readonly kind: 'restart'; readonly settles: boolean }
  /** The same number is the same command; `between`: just before its append. */
  | {
      readonly kind: 'note';
      readonly command: number;
      readonly between?: Foreign;
      readonly answer: 'comes' | 'is lost';
    };
type Op = { readonly by: 'others'; readonly op: Foreign } | { readonly by: 'us'; readonly op: Own };

const foreign: fc.Arbitrary<Foreign> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('truncate' as const), back: fc.nat(6) }) },
);
const own: fc.Arbitrary<Own> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'load' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), settles: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        kind: fc.constant('note' as const),
        // 13 closes the diary for a while.
        command: fc.nat(13),
        between: foreign,
        answer: fc.constantFrom('comes' as const, 'comes' as const, 'comes' as const, 'is lost' as const),
      },
      { requiredKeys: ['kind', 'command', 'answer'] },
    ),
  },
);
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: own.map((done): Op => ({ by: 'us', op: done })) },
  { weight: 1, arbitrary: foreign.map((done): Op => ({ by: 'others', op: done })) },
);

async function lastOf(log: EventStore): Promise<bigint> {
  const read = await log.read(STREAM, { direction: 'backward', limit: 1 });
  return read.status === 'found' ? read.revision : -1n;
}

async function doForeign(log: EventStore, done: Foreign): Promise<void> {
  if (done.kind === 'append') {
    const texts = Array.from({ length: done.count }, (_, nth) => `theirs ${nth} of ${done.count}`);
    await log.append(STREAM, texts.map(noted), { expected: 'any' }).catch(() => undefined);
  } else if (done.kind === 'truncate') {
    await log.truncate(STREAM, (await lastOf(log)) + 1n - BigInt(done.back)).catch(() => undefined);
  } else await log.delete(STREAM);
}

type World = {
  readonly made: Product;
  /** Returns few events per read; something happens before its next append, whose answer may be lost. */
  store: EventStore;
  /** Every text ever written, by revision. */
  readonly known: Map<bigint, string>;
  before: (() => Promise<void>) | null;
  isLost: boolean;
  /** Earlier processes, and last the current one. */
  readonly processes: Process[];
};

function world(): World {
  const known = new Map<bigint, string>();
  const base = rawEventStore();
  const log: EventStore = Object.assign(Object.create(base) as EventStore, {
    append: async (...input: Parameters<EventStore['append']>) => {
      const appended = await base.append(...input);
      for (const [nth, { data }] of input[1].toReversed().entries())
        known.set(appended.revision - BigInt(nth), (data as Noted['data']).text);
      return appended;
    },
  });
  const store: EventStore = Object.assign(Object.create(log) as EventStore, {
    read: (stream: string, { limit, ...options }: Parameters<EventStore['read']>[1] = {}) =>
      log.read(stream, limit === undefined ? options : { ...options, limit: Math.min(limit, 3) }),
    append: async (...input: Parameters<EventStore['append']>) => {
      const { before } = it;
      it.before = null;
      await before?.();
      const appended = await log.append(...input);
      if (it.isLost) throw new Error('the answer was lost');
      return appended;
    },
  });
  const it: World = { made: product(log), store, known, before: null, isLost: false, processes: [] };
  return it;
}

const textOf = (command: number): string => (command === 13 ? 'closed.' : `note ${command}`);

async function restart(at: World, snapshots: Snapshots, settles: boolean): Promise<void> {
  const former = at.processes.at(-1);
  if (settles) await former?.settled();
  const process = startedOn(former ? (Object.getPrototypeOf(at.store) as EventStore) : at.store, { snapshots });
  at.processes.push(process);
  at.store = process.store;
}

async function doOwn(
  at: World,
  decider: typeof diary,
  done: Exclude<Own, { readonly kind: 'restart' }>,
): Promise<unknown> {
  if (done.kind === 'load') return loadState(at.store, decider, STREAM);
  const { between } = done;
  at.before = between ? () => doForeign(at.made.store, between) : null;
  at.isLost = done.answer === 'is lost';
  const ctx = at.made.context(derivedId('command', String(done.command)), at.store);
  const outcome = await handle(ctx, decider, STREAM, { type: 'Note', text: textOf(done.command) }).catch(
    (error: Error) => error.message,
  );
  at.isLost = false;
  at.before = null;
  return outcome;
}

describe('a command on a stream with a cached fold', () => {
  it.each([
    [1, false],
    [4, false],
    [1, true],
  ])(
    `has the same outcome as on the whole stream, caching from %i events on, with snapshots: %s (seed ${SEED})`,
    async (keptFrom, isSnapped) => {
      const kept = { ...diary, keptFrom };
      const met = { conflicts: 0, repeats: 0, refused: 0, lost: 0 };
      let resumed = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 40 }), fc.boolean(), async (ops, isDeleted) => {
          const [ours, plain] = [world(), world()];
          const readModels = memoryReadModels();
          const snapshots: Snapshots = {
            ...readModels.snapshots,
            read: async (place) => {
              const found = await readModels.snapshots.read(place);
              if (found) resumed += 1;
              return found;
            },
          };
          if (isSnapped) await restart(ours, snapshots, true);
          for (const { by, op: done } of [
            ...ops,
            ...(isDeleted ? [{ by: 'others', op: { kind: 'delete' } } as const, ops[0] as Op] : []),
          ]) {
            if (by === 'others') {
              for (const { made } of [ours, plain]) await doForeign(made.store, done);
              continue;
            }
            if (done.kind === 'restart') {
              if (isSnapped) await restart(ours, snapshots, done.settles);
              continue;
            }
            const [mine, theirs] = [await doOwn(ours, kept, done), await doOwn(plain, diary, done)];
            expect(mine).toEqual(theirs);
            if (done.kind !== 'note') continue;
            if (typeof mine === 'string') met[mine.includes('lost') ? 'lost' : 'refused'] += 1;
            else if ((mine as { events: unknown[] }).events.length === 0) met.repeats += 1;
            else if (done.between?.kind === 'append') met.conflicts += 1;
          }
          expect(contents(await ours.made.store.read(STREAM))).toEqual(contents(await plain.made.store.read(STREAM)));
          for (const { settled } of ours.processes) await settled();
          await readModels.close();
        }),
        { seed: SEED, numRuns: runs(200) },
      );
      for (const count of Object.values(met)) expect(count).toBeGreaterThan(FULL ? 50 : 10);
      expect(resumed > (FULL ? 50 : 10)).toBe(isSnapped);
    },
  );

  it(`decides on the content of the stream, with any number of concurrent commands (seed ${SEED})`, async () => {
    const kept = { ...diary, keptFrom: 1 };
    let written = 0;
    const crowd = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.array(foreign, { maxLength: 4 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(crowd, async (rounds) => {
        const at = world();
        const log = at.made.store;
        for (const [round, [many, others]] of rounds.entries()) {
          await doForeign(log, { kind: 'append', count: 2 });
          const disturbing = [...others];
          // Between any two reads and appends of any of them.
          const disturbed: EventStore = Object.assign(Object.create(at.store) as EventStore, {
            read: async (...input: Parameters<EventStore['read']>) => {
              const next = disturbing.shift();
              if (next) await doForeign(log, next);
              return at.store.read(...input);
            },
          });
          await loadState(disturbed, kept, STREAM);
          const texts = Array.from({ length: many }, (_, nth) => `mine ${nth} of round ${round}`);
          const results = await Promise.all(
            texts.map((text) => handle(at.made.context(undefined, disturbed), kept, STREAM, { type: 'Note', text })),
          );
          for (const [nth, { state, events, revision }] of results.entries()) {
            const after = events[0]?.data.after ?? ['nothing was decided'];
            // The decided state was right before it, without a gap.
            expect(after).toEqual(after.map((_, place) => at.known.get(revision! - BigInt(after.length - place))));
            expect(at.known.get(revision!)).toBe(texts[nth]);
            expect(state.notes).toEqual([...after, texts[nth]]);
            written += 1;
          }
          disturbing.length = 0;
          const { events: _, ...whole } = await loadHistory(log, diary, STREAM);
          expect(await loadState(disturbed, kept, STREAM)).toEqual(whole);
        }
      }),
      { seed: SEED, numRuns: runs(200) },
    );
    expect(written).toBeGreaterThan(runs(1_000));
  });
});

/** Leaves out what differs between two stores of the same history. */
function contents(read: StreamRead): unknown {
  return read.status === 'found'
    ? { ...read, events: read.events.map(({ type, data, revision, position }) => ({ type, data, revision, position })) }
    : read;
}
