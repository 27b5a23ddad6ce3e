import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFoldCache, type Fold, foldCacheOf } from '../../src/commands/foldCache.ts';
import { handle, loadHistory, loadState } from '../../src/commands/handle.ts';
import { changeAction } from '../../src/commands/plan/changeAction.ts';
import { analysisOf } from '../../src/domain/billing/billing.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { planDecider } from '../../src/domain/plan/decide.ts';
import { planStream } from '../../src/domain/plan/events.ts';
import { type EventStore, type NewEvent, START } from '../../src/eventStore/eventStore.ts';
import { MAX_NOTES } from '../../src/model/limits.ts';
import { type Product, product } from '../given/commands.ts';
import { finishedAnalysis } from '../given/finishedAnalysis.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { diary, noted } from '../given/stores/foldToy.ts';

const STREAM = 'diary-1';
const kept = { ...diary, keptFrom: 1 };
const note = (text: string) => ({ type: 'Note', text }) as const;

type Seen = { reads: number; events: number };

/** Reports how much was read, and calls `then` once, after the next read. */
function watched(store: EventStore): {
  readonly store: EventStore;
  readonly seen: Seen;
  afterRead(then: () => Promise<unknown>): void;
} {
  const seen: Seen = { reads: 0, events: 0 };
  let once: (() => Promise<unknown>) | null = null;
  const read: EventStore['read'] = async (...input) => {
    const answer = await store.read(...input);
    seen.reads += 1;
    if (answer.status === 'found') seen.events += answer.events.length;
    const then = once;
    once = null;
    await then?.();
    return answer;
  };
  return {
    store: Object.assign(Object.create(store) as EventStore, { read }),
    seen,
    afterRead: (then) => {
      once = then;
    },
  };
}

/** A stream of that many notes, with a cached fold if the decider caches folds of that length. */
async function written(count: number, decider = kept) {
  const { store: log, context } = product(rawEventStore());
  const { store, seen, afterRead } = watched(log);
  const foreign = (...texts: readonly string[]) => log.append(STREAM, texts.map(noted), { expected: 'any' });
  for (let nth = 0; nth < count; nth += 500)
    await foreign(...Array.from({ length: Math.min(500, count - nth) }, (_, n) => String(nth + n)));
  await loadState(store, decider, STREAM);
  Object.assign(seen, { reads: 0, events: 0 });
  const state = async () => (await loadState(store, decider, STREAM)).state;
  const whole = async () => (await loadHistory(log, diary, STREAM)).state;
  return { log, store, seen, afterRead, foreign, state, whole, ctx: (commandId?: string) => context(commandId, store) };
}

describe('a long stream', () => {
  it('is folded on from the cached state: each command reads the new events, and checks that the stream still has its beginning', async () => {
    const { seen, foreign, state, whole, ctx } = await written(2_500);
    await handle(ctx(), kept, STREAM, note('mine'));
    expect(seen).toEqual({ reads: 2, events: 2 });
    await foreign('theirs', 'theirs too');
    expect((await handle(ctx(), kept, STREAM, note('again'))).state.notes.slice(-4)).toEqual([
      'mine',
      'theirs',
      'theirs too',
      'again',
    ]);
    expect(seen).toEqual({ reads: 4, events: 6 });
    expect(await state()).toEqual(await whole());
  });

  it('is read at once and never cached when it is shorter than its decider’s limit', async () => {
    const { seen, ctx } = await written(9, { ...diary, keptFrom: 10 });
    const decider = { ...diary, keptFrom: 10 };
    await handle(ctx(), decider, STREAM, note('the tenth'));
    expect(seen).toEqual({ reads: 1, events: 9 });
  });

  it('is read once for concurrent commands', async () => {
    const { log, store, seen } = await written(5_000);
    const fresh = watched(log);
    const states = await Promise.all(Array.from({ length: 10 }, () => loadState(fresh.store, kept, STREAM)));
    expect(new Set(states.map(({ state }) => state.notes.length))).toEqual(new Set([5_000]));
    expect(fresh.seen.events).toBeLessThan(5_000 + 10 * 1_000 + 100);
    expect(seen.reads).toBe(0);
    expect(store).not.toBe(fresh.store);
  });

  it.each([
    ['truncated within what is known', async (log: EventStore) => log.truncate(STREAM, 4n)],
    ['truncated as a whole', async (log: EventStore) => log.truncate(STREAM, 1_000n)],
    ['deleted for good', async (log: EventStore) => log.delete(STREAM)],
  ])('reflects its content after it was %s', async (_, change) => {
    const { log, store, ctx } = await written(10);
    await change(log);
    const { events: __, ...whole } = await loadHistory(log, diary, STREAM);
    expect(await loadState(store, kept, STREAM)).toEqual(whole);
    expect(await loadState(store, kept, STREAM)).toEqual(whole);
    if (whole.status === 'deleted')
      return expect(handle(ctx(), kept, STREAM, note('late'))).rejects.toMatchObject({ code: 'STREAM_DELETED' });
    expect((await handle(ctx(), kept, STREAM, note('next'))).state.notes).toEqual([...whole.state.notes, 'next']);
  });

  it('never mixes old and new when it is truncated and written during a read', async () => {
    const { log, afterRead, foreign, state, whole } = await written(10);
    afterRead(async () => {
      await log.truncate(STREAM, 4n);
      await foreign('after it');
    });
    expect(await state()).toEqual(await whole());
    expect((await whole()).notes).toEqual(['4', '5', '6', '7', '8', '9', 'after it']);
  });

  it('is read as a whole when its store was restored with another history', async () => {
    const [before, after] = [rawEventStore(), rawEventStore()];
    let current: EventStore = before;
    const store = Object.assign(Object.create(before) as EventStore, {
      read: (...input: Parameters<EventStore['read']>) => current.read(...input),
    });
    await before.append(STREAM, ['one', 'two', 'three'].map(noted), { expected: 'no_stream' });
    await after.append(STREAM, ['uno', 'dos', 'tres', 'cuatro'].map(noted), { expected: 'no_stream' });
    expect((await loadState(store, kept, STREAM)).state.notes).toHaveLength(3);
    current = after;
    expect(await loadState(store, kept, STREAM)).toMatchObject({
      revision: 3n,
      state: { notes: ['uno', 'dos', 'tres', 'cuatro'] },
    });
  });

  it('accepts a command once, even when its answer was lost and it is repeated much later', async () => {
    const { store, log, ctx, state } = await written(10);
    const losing = Object.assign(store, {
      append: async (...input: Parameters<EventStore['append']>) => {
        await log.append(...input);
        throw new Error('the answer was lost');
      },
    });
    await expect(handle({ ...ctx('command-1'), store: losing }, kept, STREAM, note('once'))).rejects.toThrow(
      'the answer was lost',
    );
    Object.assign(store, { append: log.append });
    expect((await handle(ctx('command-1'), kept, STREAM, note('once'))).events).toEqual([]);
    for (let nth = 0; nth < 300; nth += 1) await handle(ctx(), kept, STREAM, note(`later ${nth}`));
    expect((await handle(ctx('command-1'), kept, STREAM, note('once'))).events).toEqual([]);
    expect((await state()).notes.filter((text) => text === 'once')).toHaveLength(1);
  });

  it('accepts a command whose id only resembles an existing one', async () => {
    const { store, log, ctx } = await written(1);
    const ids: string[] = [];
    Object.assign(store, {
      append: (stream: string, events: readonly NewEvent[], options: Parameters<EventStore['append']>[2]) => {
        ids.push(...events.map(({ id }) => id));
        // Another command at this moment, with an id that begins alike.
        Object.assign(store, { append: log.append });
        const [event] = events as [NewEvent];
        return log
          .append(stream, [{ ...event, id: `${event.id.slice(0, 8)}${randomUUID().slice(8)}` }], options)
          .then(() => log.append(stream, events, options));
      },
    });
    expect((await handle(ctx('command-1'), kept, STREAM, note('mine'))).events).toHaveLength(1);
    expect((await loadHistory(log, diary, STREAM)).events.map(({ id }) => id)).toContain(ids[0]);
  });
});

describe('the answer of a command', () => {
  const userId = 'user-1';
  const at = '2026-03-01T00:00:00.000Z';
  const reserve = (jobId: string) =>
    ({
      type: 'ReserveAnalyses',
      userId,
      jobIds: [jobId],
      batchId: jobId,
      allowance: 1_000,
      isAdmin: false,
      at,
    }) as const;
  const consume = (jobId: string) => ({ type: 'ConsumeAnalysis', userId, jobId, at }) as const;
  const decider = { ...billingDecider, keptFrom: 1 };
  const run = ({ context }: Product, command: Parameters<typeof billingDecider.decide>[0]) =>
    handle(context(), decider, billingStream(userId), command);

  it('does not change when others write', async () => {
    const made = product(rawEventStore());
    await run(made, reserve('first'));
    const { state } = await run(made, reserve('second'));
    await run(made, consume('second'));
    await run(made, reserve('third'));
    expect(['first', 'second', 'third'].map((jobId) => analysisOf(state, jobId)?.status)).toEqual([
      'reserved',
      'reserved',
      undefined,
    ]);
  });

  it('is folded once under concurrent writes: no bill is copied for it', async () => {
    const made = product(rawEventStore());
    await run(made, reserve('first'));
    const { state } = await loadState(made.store, decider, billingStream(userId));
    const all = await Promise.all(Array.from({ length: 30 }, (_, nth) => run(made, reserve(`job ${nth}`))));
    expect(new Set([state, ...all.map((one) => one.state)].map(({ ledger }) => ledger)).size).toBe(1);
    for (const [nth, one] of all.entries()) expect(analysisOf(one.state, `job ${nth}`)?.status).toBe('reserved');
  });

  it('contains nothing that was decided but not written', async () => {
    const made = product(rawEventStore());
    await run(made, reserve('first'));
    const full = Object.assign(Object.create(made.store) as EventStore, {
      append: async () => {
        throw new Error('the disk is full');
      },
    });
    await loadState(full, decider, billingStream(userId));
    await expect(
      handle(made.context(undefined, full), decider, billingStream(userId), reserve('second')),
    ).rejects.toThrow('the disk is full');
    const { state, revision } = await loadState(full, decider, billingStream(userId));
    expect([analysisOf(state, 'first')?.status, analysisOf(state, 'second'), revision]).toEqual(['reserved', null, 0n]);
  });
});

describe('a plan with long notes', () => {
  it('takes as much of the cache as the memory that it takes', async () => {
    const { made, jobId } = await finishedAnalysis();
    const weight = () => foldCacheOf(made.store).get(planStream(jobId), planDecider)?.weight ?? 0;
    const write = (notes: string) =>
      changeAction(made.context(), { type: 'ChangeAction', jobId, actionId: 'title-missing', notes });
    for (let nth = 0; nth < 25; nth += 1) await write(`Note ${nth}`);
    expect(weight()).toBeLessThan(50);
    await write('x'.repeat(MAX_NOTES));
    // Two bytes for each character.
    expect(weight()).toBeGreaterThan((2 * MAX_NOTES) / 180);
  });
});

describe('cached folds', () => {
  const decider = {};
  const fold = (events: number): Fold<string> => ({
    state: `of ${events}`,
    first: 0n,
    last: { id: 'x', revision: BigInt(events - 1), position: START },
    events,
    weight: events,
    idKeys: new Set(),
    snapshot: { events: 0 },
  });
  it('are limited by their events, keeping the most recently used', () => {
    const cache = createFoldCache(10);
    for (const stream of ['a', 'b', 'c']) cache.put(stream, decider, fold(3));
    cache.get('a', decider);
    cache.put('d', decider, fold(4));
    expect(['a', 'b', 'c', 'd'].map((stream) => cache.get(stream, decider)?.events ?? null)).toEqual([3, null, 3, 4]);
    cache.put('d', decider, fold(7));
    expect(['a', 'b', 'c', 'd'].map((stream) => cache.get(stream, decider)?.events ?? null)).toEqual([
      null,
      null,
      3,
      7,
    ]);
  });
  it('include at least one', () => {
    const cache = createFoldCache(10);
    cache.put('a', decider, fold(3));
    cache.put('b', decider, fold(50));
    expect([cache.get('a', decider), cache.get<string>('b', decider)?.state]).toEqual([null, 'of 50']);
    cache.put('c', decider, fold(3));
    expect([cache.get('b', decider), cache.get<string>('c', decider)?.state]).toEqual([null, 'of 3']);
  });
  it('belong to the decider that folded them, and can be dropped', () => {
    const cache = createFoldCache(10);
    cache.put('a', decider, fold(3));
    expect(cache.get('a', {})).toBeNull();
    cache.forget('a');
    cache.forget('never there');
    expect(cache.get('a', decider)).toBeNull();
    cache.put('b', decider, fold(10));
    expect(cache.get('b', decider)).not.toBeNull();
  });
});
